#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/workload/scenario.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>

// What a person may set of a run, each described once: the options of `contend`, `run` and
// `acquire`, the shell command that repeats a run, and the form of the window are made from this
// table.
namespace lockscope::workload {

/// What the parameters are for: a computed run may be larger than any machine can run.
enum class RunPurpose { Run, Prediction };

struct RunParameter {
    struct Count {
        int Scenario::*of;
        int min;
        int max;
        int predictedMax = max; // of what is computed instead of run; 0: cannot be predicted
    };
    struct Span {
        Duration Scenario::*of;
        Duration min;
    };
    struct RetrySpan {
        Duration protocol::Retry::*of;
        Duration min;
    };
    struct Share {
        double Scenario::*of;
    };
    struct Spread {
        Distribution Scenario::*of;
    };
    /// What is more than one number: with its own text and its own way to read that.
    struct Special {
        std::string (*text)(const Scenario&);
        std::string (*read)(Scenario&, std::string_view text, const protocol::ProtocolInfo&);
    };

    /// A field of the window's form. Fields of a group are in the order of the table.
    struct Form {
        enum class Group { Load, Lock, Faults, Advanced };
        Group group = Group::Load;
        std::string (*label)() = nullptr; // "Contenders"
        std::string (*hint)() = nullptr;  // a sentence: what the value means
        /// What an empty field stands for, given what the parameters before it say, and how that
        /// is called; nullptr: the field has to be filled in.
        std::string (*whenEmpty)(const Scenario&) = nullptr;
        std::string (*placeholder)() = nullptr;
    };

    std::string_view id;      // "clients": the option of the command line, without dashes
    std::string_view operand; // "N": what stands for the value in a help text
    std::string_view label;   // "Number of contenders"
    std::string_view note;    // the rest of the sentence, with the default: " (10)."
    std::variant<Count, Span, RetrySpan, Share, Spread, Special> value;
    /// nullptr: of every protocol.
    bool (*appliesTo)(const protocol::ProtocolInfo&) = nullptr;
    /// What else follows from a new value; nullptr: nothing.
    void (*adjust)(Scenario&, const protocol::ProtocolInfo&) = nullptr;
    /// Whether it need not be said beside the usual scenario; nullptr: when the texts are equal.
    bool (*isImplied)(const Scenario&, const Scenario& usual) = nullptr;
    /// Whether it changes anything in this scenario; nullptr: in every scenario.
    bool (*mattersIn)(const Scenario&) = nullptr;
    Form form{};

    std::string help() const { return std::string(label).append(note); }

    bool isInForm() const { return form.label != nullptr; }
    /// For this protocol, in this scenario.
    bool applies(const protocol::ProtocolInfo& info, const Scenario& scenario) const
    {
        return (appliesTo == nullptr || appliesTo(info))
               && (mattersIn == nullptr || mattersIn(scenario));
    }

    /// The value as read() takes it.
    std::string text(const Scenario& scenario) const;

    /// Sets the value. What is wrong with the text, as the end of a sentence that begins with it
    /// ("is not a duration"); empty: nothing. Parameters are read in the order of the table, as
    /// some begin with what others say.
    std::string read(Scenario& scenario, std::string_view text, const protocol::ProtocolInfo& info,
                     RunPurpose purpose = RunPurpose::Run) const;
};

/// All of them, in the order of the help; a parameter may depend on those before it.
std::span<const RunParameter> runParameters();

/// How a lock with this lease is renewed: as often per lease as the protocol does by itself,
/// three times if it does not. Off where it cannot.
protocol::Renewal renewalFor(const protocol::ProtocolInfo& info, Duration lease);

// What is wrong with a typed value, as the end of a sentence that begins with it; empty: nothing,
// and `value` was set.
std::string readCount(std::string_view text, std::uint64_t min, std::uint64_t max,
                      std::uint64_t& value);
std::string readSpan(std::string_view text, Duration min, Duration& value);

} // namespace lockscope::workload
