#include "tests/support/json_schema.h"

#include "tests/support/source_tree.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace lockscope::testing {

using nlohmann::json;

namespace {

class Validator {
public:
    explicit Validator(const json& root) : m_root(root) {}

    std::string complaint(const json& value, const json& schema, const std::string& place) const
    {
        if (schema.contains("$ref")) {
            const auto ref = schema["$ref"].get<std::string>();
            if (!ref.starts_with('#')) { // another file
                const std::string name = ref.substr(ref.find(':') + 1);
                return schemaComplaint(value, name.c_str());
            }
            return complaint(value, m_root.at(json::json_pointer(ref.substr(1))), place);
        }
        if (std::string unknown = unknownKeyword(schema); !unknown.empty()) {
            return "the schema has " + unknown + ", which nobody checks";
        }
        if (!isOneOf(value, schema) || !hasType(value, schema) || !matches(value, schema)
            || !isLargeEnough(value, schema)) {
            return place + " is " + value.dump().substr(0, 80);
        }
        if (schema.contains("anyOf") && !isAny(value, schema["anyOf"], place)) {
            return place + " is nothing that it may be: " + value.dump().substr(0, 80);
        }
        const std::string found = value.is_object() ? inObject(value, schema, place)
                                                    : std::string();
        return found.empty() && value.is_array() ? inArray(value, schema, place) : found;
    }

private:
    static std::string unknownKeyword(const json& schema)
    {
        static const std::set<std::string> kKnown{
            "$schema", "$id",      "$defs",  "title",      "description",          "type",
            "enum",    "const",    "anyOf",  "properties", "additionalProperties", "items",
            "pattern", "required", "minimum"};
        for (const auto& [name, value] : schema.items()) {
            if (!kKnown.contains(name)) {
                return name;
            }
        }
        return {};
    }

    static bool isOneOf(const json& value, const json& schema)
    {
        if (schema.contains("const") && schema["const"] != value) {
            return false;
        }
        return !schema.contains("enum")
               || std::find(schema["enum"].begin(), schema["enum"].end(), value)
                      != schema["enum"].end();
    }

    static bool hasType(const json& value, const json& schema)
    {
        if (!schema.contains("type")) {
            return true;
        }
        const json& type = schema["type"];
        return type.is_array() ? std::any_of(type.begin(), type.end(),
                                             [&](const json& one) { return isOfType(value, one); })
                               : isOfType(value, type);
    }

    static bool isOfType(const json& value, const std::string& type)
    {
        return (type == "object" && value.is_object()) || (type == "array" && value.is_array())
               || (type == "string" && value.is_string())
               || (type == "integer" && value.is_number_integer())
               || (type == "number" && value.is_number())
               || (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null());
    }

    static bool matches(const json& value, const json& schema)
    {
        if (!schema.contains("pattern")) {
            return true;
        }
        const QRegularExpression pattern(
            QString::fromStdString(schema["pattern"].get<std::string>()));
        return pattern.match(QString::fromStdString(value.get<std::string>())).hasMatch();
    }

    static bool isLargeEnough(const json& value, const json& schema)
    {
        return !schema.contains("minimum") || !value.is_number()
               || value.get<double>() >= schema["minimum"].get<double>();
    }

    bool isAny(const json& value, const json& choices, const std::string& place) const
    {
        return std::any_of(choices.begin(), choices.end(), [&](const json& choice) {
            return complaint(value, choice, place).empty();
        });
    }

    std::string inObject(const json& value, const json& schema, const std::string& place) const
    {
        for (const json& name : schema.value("required", json::array())) {
            if (!value.contains(name.get<std::string>())) {
                return place + " has no " + name.dump();
            }
        }
        const json properties = schema.value("properties", json::object());
        for (const auto& [name, member] : value.items()) {
            const std::string path = place + '/' + name;
            if (properties.contains(name)) {
                if (std::string found = complaint(member, properties[name], path); !found.empty()) {
                    return found;
                }
            } else if (schema.contains("additionalProperties")) {
                return path + " is not in the schema";
            }
        }
        return {};
    }

    std::string inArray(const json& value, const json& schema, const std::string& place) const
    {
        for (std::size_t i = 0; schema.contains("items") && i < value.size(); ++i) {
            std::string found = complaint(value[i], schema["items"],
                                          place + '/' + std::to_string(i));
            if (!found.empty()) {
                return found;
            }
        }
        return {};
    }

    const json& m_root;
};

} // namespace

std::string schemaComplaint(const json& value, const json& schema)
{
    return Validator(schema).complaint(value, schema, "the whole");
}

std::string schemaComplaint(const json& value, const char* nameOfSchema)
{
    QFile file(inSourceTree(
        QStringLiteral("docs/json/%1.schema.json").arg(QString::fromLatin1(nameOfSchema))));
    if (!file.open(QIODevice::ReadOnly)) {
        return "there is no such schema";
    }
    return schemaComplaint(value, json::parse(file.readAll().toStdString()));
}

} // namespace lockscope::testing
