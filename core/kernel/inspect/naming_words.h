#pragma once

#include <algorithm>
#include <array>
#include <string_view>

// What lockNamingOf() knows of the words around a word for a lock. Sorted, because they are
// searched.
namespace lockscope::inspect::naming_words {

/// A lock of this kind is a thing, a file or a button: smart-lock, smartLock.
inline constexpr auto kKindsOfThings = std::to_array<std::string_view>(
    {"activation", "ae",           "af",          "age",      "air",        "airtight",
     "alarm",      "anti",         "arm",         "axle",     "badge",      "belt",
     "bicycle",    "bike",         "bluetooth",   "boat",     "bootloader", "brake",
     "bun",        "cabinet",      "cable",       "cam",      "canal",      "caps",
     "car",        "cargo",        "carrier",     "castle",   "chain",      "child",
     "clutch",     "combi",        "combination", "composer", "cylinder",   "dead",
     "deadbolt",   "differential", "disc",        "dock",     "door",       "doors",
     "dread",      "ebike",        "elevator",    "exposure", "fetter",     "fire",
     "flake",      "flint",        "focus",       "fuel",     "fur",        "gate",
     "gear",       "gem",          "gemfile",     "gimbal",   "grid",       "gun",
     "hair",       "handlebar",    "hasp",        "hatch",    "head",       "helm",
     "hem",        "hitch",        "icloud",      "ignition", "inter",      "kensington",
     "keyboard",   "keypad",       "kiosk",       "knuckle",  "latch",      "lever",
     "love",       "lug",          "luggage",     "mix",      "moped",      "mortise",
     "mouse",      "npm",          "num",         "oar",      "optimistic", "orientation",
     "oven",       "package",      "pad",         "paddle",   "parental",   "pedal",
     "phone",      "pick",         "pin",         "pip",      "pipfile",    "pnpm",
     "pod",        "podfile",      "poetry",      "pointer",  "portrait",   "rate",
     "region",     "rim",          "rope",        "safe",     "scooter",    "screen",
     "scroll",     "sea",          "seatbelt",    "shackle",  "ship",       "sim",
     "ski",        "smart",        "spanner",     "steering", "suitcase",   "tablet",
     "tailgate",   "terraform",    "thumb",       "tilt",     "touch",      "trailer",
     "trunk",      "turnstile",    "u",           "uv",       "vapor",      "wake",
     "war",        "washer",       "wed",         "wheel",    "wifi",       "win",
     "window",     "wrist",        "yarn"});

/// Behind a word for a lock: what is known about locks, attempts, expiries.
inline constexpr auto kAttributes = std::to_array<std::string_view>(
    {"acquisitions", "apr",        "apy",      "attempt",     "attempts",     "battery",
     "board",        "brightness", "checksum", "combination", "combinations", "contention",
     "count",        "counter",    "counts",   "expires",     "expiry",       "failed",
     "failures",     "fencing",    "firmware", "followers",   "holders",      "humidity",
     "keycode",      "keypad",     "lat",      "latitude",    "lng",          "lockouts",
     "longitude",    "mileage",    "owner",    "passcode",    "passcodes",    "percent",
     "pincode",      "presence",   "reason",   "reasons",     "rent",         "retries",
     "rssi",         "sha",        "since",    "telemetry",   "tries",        "unlocks",
     "until",        "viewers",    "voltage",  "wallpaper",   "warranty"});

/// The same, but only as part of one expression (locked_at, lock-status:7), or as the end of a name
/// with a number before it (lock:7:state). Elsewhere they name what is locked.
inline constexpr auto kEndingAttributes = std::to_array<std::string_view>(
    {"access",    "alert",    "alerts",      "amount",      "at",       "audit",      "autolock",
     "balance",   "banner",   "bonus",       "box",         "boxes",    "by",         "caption",
     "chamber",   "clicks",   "code",        "codes",       "color",    "colour",     "combo",
     "config",    "count",    "created",     "description", "digest",   "discount",   "display",
     "duration",  "enabled",  "expiration",  "fee",         "fees",     "flag",       "flags",
     "gate",      "gates",    "hash",        "history",     "hits",     "icon",       "id",
     "ids",       "image",    "in",          "jaw",         "keeper",   "label",      "lang",
     "lastseen",  "latency",  "level",       "locale",      "log",      "logs",       "max",
     "meta",      "metadata", "metrics",     "min",         "mode",     "monthly",    "nut",
     "online",    "opened",   "opener",      "out",         "password", "percentage", "period",
     "perms",     "pick",     "picture",     "pin",         "pins",     "policy",     "pos",
     "position",  "price",    "pro",         "qty",         "quantity", "rank",       "rate",
     "ring",      "role",     "rssi",        "score",       "screen",   "screens",    "seen",
     "sensor",    "settings", "signal",      "smith",       "smiths",   "speed",      "stat",
     "state",     "states",   "stats",       "status",      "stitch",   "style",      "summary",
     "tag",       "temp",     "temperature", "theme",       "time",     "timeline",   "timeout",
     "timestamp", "tip",      "title",       "token",       "tokens",   "total",      "type",
     "until",     "up",       "uptime",      "usage",       "version",  "versions",   "views",
     "volume",    "votes",    "washer"});

/// What is known about a lock behind its number (lock:7:room), and is locked itself as often:
/// lock_room_7, app:lock:room:7.
inline constexpr auto kResources = std::to_array<std::string_view>(
    {"brand",       "building", "category", "changed",  "closed",   "date",     "day",
     "description", "details",  "device",   "devices",  "end",      "event",    "events",
     "floor",       "group",    "guests",   "health",   "image",    "images",   "installer",
     "key",         "link",     "links",    "list",     "location", "manual",   "manufacturer",
     "material",    "model",    "name",     "notes",    "operator", "page",     "photo",
     "photos",      "prices",   "product",  "rating",   "ratings",  "review",   "reviews",
     "room",        "rule",     "rules",    "schedule", "serial",   "series",   "site",
     "sku",         "start",    "started",  "supplier", "tags",     "template", "text",
     "thumbnail",   "unit",     "updated",  "url",      "users",    "vendor",   "video",
     "weight",      "zone"});

/// At the end of lock:7:state, although it may name what is locked.
inline constexpr auto kEndingStates = std::to_array<std::string_view>({"health", "mode", "online",
                                                                       "position", "state",
                                                                       "states", "status"});

/// Before the word: whom or what it is a state of.
inline constexpr auto kSubjects = std::to_array<std::string_view>(
    {"account",      "accounts",     "acct",       "admin",        "admins",     "auth",
     "autocomplete", "avatar",       "ban",        "banned",       "bans",       "barge",
     "bicycle",      "bicycles",     "bike",       "bikes",        "biometric",  "ble",
     "boat",         "boats",        "button",     "buttons",      "canal",      "canals",
     "car",          "cars",         "cctv",       "cfg",          "conf",       "config",
     "configs",      "consent",      "css",        "customer",     "customers",  "device",
     "devices",      "dialect",      "dict",       "dictionary",   "door",       "doors",
     "drawer",       "ebike",        "elevator",   "email",        "emails",     "emoji",
     "emojis",       "employee",     "employees",  "faq",          "feature",    "features",
     "ff",           "flag",         "flags",      "forum",        "fraud",      "garage",
     "gate",         "gates",        "gauge",      "geofence",     "glossary",   "gym",
     "hair",         "handset",      "hass",       "histogram",    "home",       "homekit",
     "homes",        "house",        "houses",     "icon",         "icons",      "iot",
     "ip",           "keyboard",     "keycap",     "keyword",      "keywords",   "kiosk",
     "label",        "labels",       "lang",       "launchdarkly", "lift",       "locale",
     "locales",      "login",        "logins",     "lyrics",       "marina",     "mdm",
     "member",       "members",      "menu",       "menus",        "mfa",        "mobile",
     "moped",        "mortgage",     "motor",      "mqtt",         "museum",     "novel",
     "nutrition",    "option",       "options",    "painting",     "parental",   "password",
     "passwords",    "patient",      "permission", "permissions",  "person",     "phone",
     "phones",       "pin",          "poem",       "pref",         "preference", "preferences",
     "prefs",        "privacy",      "profile",    "profiles",     "railway",    "recipe",
     "recipes",      "rights",       "role",       "roles",        "salon",      "scooter",
     "scooters",     "search",       "sensor",     "sensors",      "seo",        "setting",
     "settings",     "ship",         "ships",      "sign",         "signin",     "signup",
     "sim",          "skill",        "skills",     "slider",       "sluice",     "spell",
     "spells",       "staff",        "student",    "students",     "suggest",    "suggestions",
     "suitcase",     "switch",       "switches",   "synonym",      "tablet",     "tablets",
     "tag",          "tags",         "taxonomy",   "teacher",      "teachers",   "thermostat",
     "thesaurus",    "toggle",       "toggles",    "tooltip",      "traffic",    "trailer",
     "translation",  "translations", "trick",      "trivia",       "turnstile",  "tutorial",
     "ui",           "user",         "users",      "vacuum",       "vehicle",    "vehicles",
     "vessel",       "visitor",      "waterway",   "wiki",         "wikipedia",  "word",
     "wordpress",    "words",        "yacht",      "zigbee",       "zwave"});

/// Before the word, where more follows: stats:lock:waits. As the last word it is what it says:
/// metrics:lock.
inline constexpr auto kRecords = std::to_array<std::string_view>(
    {"activity", "analytics", "asset",   "assets",    "audit",      "balance",      "balances",
     "brand",    "brands",    "catalog", "catalogue", "categories", "category",     "comments",
     "counter",  "counters",  "event",   "events",    "firmware",   "history",      "log",
     "logs",     "metric",    "metrics", "monitor",   "monitoring", "notification", "notifications",
     "photo",    "photos",    "price",   "prices",    "prometheus", "song",         "songs",
     "stat",     "stats",     "statsd",  "telemetry", "trace",      "traces",       "usage",
     "video",    "videos"});

/// Whose leader is a person.
inline constexpr auto kTeams = std::to_array<std::string_view>(
    {"alliance", "alltime",   "auction",    "band",         "bid",        "bidder",   "board",
     "branch",   "cheer",     "chess",      "choir",        "church",     "clan",     "class",
     "club",     "community", "company",    "country",      "crew",       "cult",     "cup",
     "cycling",  "dance",     "department", "dept",         "diocese",    "division", "faction",
     "family",   "fantasy",   "game",       "group",        "guild",      "guilds",   "house",
     "industry", "league",    "leagues",    "loss",         "match",      "member",   "members",
     "opinion",  "orchestra", "org",        "organization", "parliament", "party",    "patrol",
     "people",   "platoon",   "player",     "players",      "points",     "project",  "quiz",
     "race",     "races",     "raid",       "rank",         "ranking",    "regatta",  "round",
     "school",   "score",     "scores",     "scout",        "season",     "sports",   "squad",
     "squads",   "student",   "students",   "tally",        "team",       "teams",    "thought",
     "top",      "tour",      "tournament", "trek",         "tribe",      "troop",    "union",
     "village",  "vote",      "worship",    "xp",           "youth"});

/// With these anywhere in its name, a lock keeps a person out.
inline constexpr auto kLockouts = std::to_array<std::string_view>({"attempt",    "authentication",
                                                                   "bruteforce", "captcha",
                                                                   "ddos",       "firewall",
                                                                   "intruder",   "ip",
                                                                   "limit",      "limiter",
                                                                   "limiters",   "limits",
                                                                   "lockout",    "login",
                                                                   "logins",     "mfa",
                                                                   "mobile",     "otp",
                                                                   "passwd",     "password",
                                                                   "phone",      "pwd",
                                                                   "ratelimit",  "ratelimiter",
                                                                   "signin",     "sms",
                                                                   "spam",       "throttle",
                                                                   "throttled",  "totp"});

/// What is let, to whom, and for what: such a lease is a contract.
inline constexpr auto kLettings = std::to_array<std::string_view>(
    {"address",   "addresses",  "agreement", "agreements", "apartment",   "apartments",
     "boat",      "broker",     "building",  "buildings",  "bungalow",    "buyout",
     "car",       "cars",       "clause",    "clauses",    "condo",       "contract",
     "contracts", "copier",     "cottage",   "credential", "credentials", "creds",
     "dealer",    "deed",       "deposit",   "dhcp",       "duplex",      "equipment",
     "estate",    "estates",    "flat",      "flats",      "forklift",    "furniture",
     "garage",    "guarantor",  "home",      "homes",      "house",       "houses",
     "housing",   "ip",         "ips",       "kilometers", "km",          "land",
     "landlord",  "lessee",     "lessees",   "lessor",     "listing",     "listings",
     "loft",      "lot",        "mac",       "machinery",  "mileage",     "mortgage",
     "occupancy", "occupant",   "office",    "offices",    "parking",     "pdf",
     "premises",  "properties", "property",  "realtor",    "realty",      "rent",
     "rental",    "rentals",    "renter",    "rents",      "residence",   "residual",
     "room",      "rooms",      "secret",    "secrets",    "signature",   "signed",
     "solar",     "studio",     "sublet",    "subnet",     "suite",       "tenancies",
     "tenancy",   "tenant",     "tenants",   "term",       "terminated",  "terms",
     "tractor",   "truck",      "trucks",    "unit",       "units",       "utilities",
     "van",       "vault",      "vehicle",   "vehicles",   "villa",       "vlan"});

/// Semaphores of railways and of streets.
inline constexpr auto kSignals = std::to_array<std::string_view>(
    {"alphabet",     "color",    "colors",   "colour",  "colours", "crossing", "flag",  "flags",
     "intersection", "junction", "lamp",     "lamps",   "letter",  "letters",  "light", "lights",
     "naval",        "rail",     "railroad", "railway", "red",     "road",     "roads", "signal",
     "signals",      "station",  "street",   "traffic", "tram",    "yellow"});

inline constexpr auto kLeaders = std::to_array<std::string_view>({"leader", "leaders",
                                                                  "leadership"});

inline constexpr auto kLeases = std::to_array<std::string_view>({"lease", "leases"});

inline constexpr auto kSemaphores = std::to_array<std::string_view>({"semaphore", "semaphores"});

inline constexpr auto kLockers = std::to_array<std::string_view>({"locker", "lockers"});

inline constexpr auto kStates = std::to_array<std::string_view>({"locked", "locking"});

static_assert(std::ranges::is_sorted(kKindsOfThings));
static_assert(std::ranges::is_sorted(kAttributes));
static_assert(std::ranges::is_sorted(kEndingAttributes));
static_assert(std::ranges::is_sorted(kResources));
static_assert(std::ranges::is_sorted(kEndingStates));
static_assert(std::ranges::is_sorted(kSubjects));
static_assert(std::ranges::is_sorted(kRecords));
static_assert(std::ranges::is_sorted(kTeams));
static_assert(std::ranges::is_sorted(kLockouts));
static_assert(std::ranges::is_sorted(kLettings));
static_assert(std::ranges::is_sorted(kSignals));
static_assert(std::ranges::is_sorted(kLeaders));
static_assert(std::ranges::is_sorted(kLeases));
static_assert(std::ranges::is_sorted(kSemaphores));
static_assert(std::ranges::is_sorted(kLockers));
static_assert(std::ranges::is_sorted(kStates));

} // namespace lockscope::inspect::naming_words
