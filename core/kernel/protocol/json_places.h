#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::protocol {

/// Where in a text. Both count from 1; columns are bytes.
struct TextPlace {
    int line = 1;
    int column = 1;

    friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

/// The place of the byte at `offset`; of the end when the text is shorter.
TextPlace placeAt(std::string_view text, std::size_t offset);

/// Where the members and elements of a JSON text stand, which the parsed value does not tell.
/// Members are found by their path: "/acquire/keys/1"; the path of the whole is "".
class JsonPlaces {
public:
    /// `text` is well-formed JSON and outlives this.
    explicit JsonPlaces(std::string_view text);

    /// Where the member's name or the element begins. For a path that is not there: of the nearest
    /// thing around it that is.
    TextPlace of(std::string path) const;

    /// The path of the first member that its object has twice.
    const std::optional<std::string>& repeated() const { return m_repeated; }
    /// Where it stands for the second time.
    TextPlace repeatedPlace() const { return placeAt(m_text, m_repeatedOffset); }

private:
    friend class PlaceRecorder;

    std::string_view m_text;
    std::map<std::string, std::size_t> m_offsets;
    std::optional<std::string> m_repeated;
    std::size_t m_repeatedOffset = 0;
};

} // namespace lockscope::protocol
