// The words as AWS's Developer Guide lists them.
#include "expr/reserved_words.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace sheaf::expr {
namespace {

using namespace std::literals;

// Ascending.
constexpr std::string_view kReservedWords[] = {
    // clang-format off
    "ABORT"sv, "ABSOLUTE"sv, "ACTION"sv, "ADD"sv, "AFTER"sv, "AGENT"sv, "AGGREGATE"sv, "ALL"sv, "ALLOCATE"sv,
    "ALTER"sv, "ANALYZE"sv, "AND"sv, "ANY"sv, "ARCHIVE"sv, "ARE"sv, "ARRAY"sv, "AS"sv, "ASC"sv, "ASCII"sv,
    "ASENSITIVE"sv, "ASSERTION"sv, "ASYMMETRIC"sv, "AT"sv, "ATOMIC"sv, "ATTACH"sv, "ATTRIBUTE"sv, "AUTH"sv,
    "AUTHORIZATION"sv, "AUTHORIZE"sv, "AUTO"sv, "AVG"sv, "BACK"sv, "BACKUP"sv, "BASE"sv, "BATCH"sv,
    "BEFORE"sv, "BEGIN"sv, "BETWEEN"sv, "BIGINT"sv, "BINARY"sv, "BIT"sv, "BLOB"sv, "BLOCK"sv, "BOOLEAN"sv,
    "BOTH"sv, "BREADTH"sv, "BUCKET"sv, "BULK"sv, "BY"sv, "BYTE"sv, "CALL"sv, "CALLED"sv, "CALLING"sv,
    "CAPACITY"sv, "CASCADE"sv, "CASCADED"sv, "CASE"sv, "CAST"sv, "CATALOG"sv, "CHAR"sv, "CHARACTER"sv,
    "CHECK"sv, "CLASS"sv, "CLOB"sv, "CLOSE"sv, "CLUSTER"sv, "CLUSTERED"sv, "CLUSTERING"sv, "CLUSTERS"sv,
    "COALESCE"sv, "COLLATE"sv, "COLLATION"sv, "COLLECTION"sv, "COLUMN"sv, "COLUMNS"sv, "COMBINE"sv,
    "COMMENT"sv, "COMMIT"sv, "COMPACT"sv, "COMPILE"sv, "COMPRESS"sv, "CONDITION"sv, "CONFLICT"sv,
    "CONNECT"sv, "CONNECTION"sv, "CONSISTENCY"sv, "CONSISTENT"sv, "CONSTRAINT"sv, "CONSTRAINTS"sv,
    "CONSTRUCTOR"sv, "CONSUMED"sv, "CONTINUE"sv, "CONVERT"sv, "COPY"sv, "CORRESPONDING"sv, "COUNT"sv,
    "COUNTER"sv, "CREATE"sv, "CROSS"sv, "CUBE"sv, "CURRENT"sv, "CURSOR"sv, "CYCLE"sv, "DATA"sv, "DATABASE"sv,
    "DATE"sv, "DATETIME"sv, "DAY"sv, "DEALLOCATE"sv, "DEC"sv, "DECIMAL"sv, "DECLARE"sv, "DEFAULT"sv,
    "DEFERRABLE"sv, "DEFERRED"sv, "DEFINE"sv, "DEFINED"sv, "DEFINITION"sv, "DELETE"sv, "DELIMITED"sv,
    "DEPTH"sv, "DEREF"sv, "DESC"sv, "DESCRIBE"sv, "DESCRIPTOR"sv, "DETACH"sv, "DETERMINISTIC"sv,
    "DIAGNOSTICS"sv, "DIRECTORIES"sv, "DISABLE"sv, "DISCONNECT"sv, "DISTINCT"sv, "DISTRIBUTE"sv, "DO"sv,
    "DOMAIN"sv, "DOUBLE"sv, "DROP"sv, "DUMP"sv, "DURATION"sv, "DYNAMIC"sv, "EACH"sv, "ELEMENT"sv, "ELSE"sv,
    "ELSEIF"sv, "EMPTY"sv, "ENABLE"sv, "END"sv, "EQUAL"sv, "EQUALS"sv, "ERROR"sv, "ESCAPE"sv, "ESCAPED"sv,
    "EVAL"sv, "EVALUATE"sv, "EXCEEDED"sv, "EXCEPT"sv, "EXCEPTION"sv, "EXCEPTIONS"sv, "EXCLUSIVE"sv, "EXEC"sv,
    "EXECUTE"sv, "EXISTS"sv, "EXIT"sv, "EXPLAIN"sv, "EXPLODE"sv, "EXPORT"sv, "EXPRESSION"sv, "EXTENDED"sv,
    "EXTERNAL"sv, "EXTRACT"sv, "FAIL"sv, "FALSE"sv, "FAMILY"sv, "FETCH"sv, "FIELDS"sv, "FILE"sv, "FILTER"sv,
    "FILTERING"sv, "FINAL"sv, "FINISH"sv, "FIRST"sv, "FIXED"sv, "FLATTERN"sv, "FLOAT"sv, "FOR"sv, "FORCE"sv,
    "FOREIGN"sv, "FORMAT"sv, "FORWARD"sv, "FOUND"sv, "FREE"sv, "FROM"sv, "FULL"sv, "FUNCTION"sv,
    "FUNCTIONS"sv, "GENERAL"sv, "GENERATE"sv, "GET"sv, "GLOB"sv, "GLOBAL"sv, "GO"sv, "GOTO"sv, "GRANT"sv,
    "GREATER"sv, "GROUP"sv, "GROUPING"sv, "HANDLER"sv, "HASH"sv, "HAVE"sv, "HAVING"sv, "HEAP"sv, "HIDDEN"sv,
    "HOLD"sv, "HOUR"sv, "IDENTIFIED"sv, "IDENTITY"sv, "IF"sv, "IGNORE"sv, "IMMEDIATE"sv, "IMPORT"sv, "IN"sv,
    "INCLUDING"sv, "INCLUSIVE"sv, "INCREMENT"sv, "INCREMENTAL"sv, "INDEX"sv, "INDEXED"sv, "INDEXES"sv,
    "INDICATOR"sv, "INFINITE"sv, "INITIALLY"sv, "INLINE"sv, "INNER"sv, "INNTER"sv, "INOUT"sv, "INPUT"sv,
    "INSENSITIVE"sv, "INSERT"sv, "INSTEAD"sv, "INT"sv, "INTEGER"sv, "INTERSECT"sv, "INTERVAL"sv, "INTO"sv,
    "INVALIDATE"sv, "IS"sv, "ISOLATION"sv, "ITEM"sv, "ITEMS"sv, "ITERATE"sv, "JOIN"sv, "KEY"sv, "KEYS"sv,
    "LAG"sv, "LANGUAGE"sv, "LARGE"sv, "LAST"sv, "LATERAL"sv, "LEAD"sv, "LEADING"sv, "LEAVE"sv, "LEFT"sv,
    "LENGTH"sv, "LESS"sv, "LEVEL"sv, "LIKE"sv, "LIMIT"sv, "LIMITED"sv, "LINES"sv, "LIST"sv, "LOAD"sv,
    "LOCAL"sv, "LOCALTIME"sv, "LOCALTIMESTAMP"sv, "LOCATION"sv, "LOCATOR"sv, "LOCK"sv, "LOCKS"sv, "LOG"sv,
    "LOGED"sv, "LONG"sv, "LOOP"sv, "LOWER"sv, "MAP"sv, "MATCH"sv, "MATERIALIZED"sv, "MAX"sv, "MAXLEN"sv,
    "MEMBER"sv, "MERGE"sv, "METHOD"sv, "METRICS"sv, "MIN"sv, "MINUS"sv, "MINUTE"sv, "MISSING"sv, "MOD"sv,
    "MODE"sv, "MODIFIES"sv, "MODIFY"sv, "MODULE"sv, "MONTH"sv, "MULTI"sv, "MULTISET"sv, "NAME"sv, "NAMES"sv,
    "NATIONAL"sv, "NATURAL"sv, "NCHAR"sv, "NCLOB"sv, "NEW"sv, "NEXT"sv, "NO"sv, "NONE"sv, "NOT"sv, "NULL"sv,
    "NULLIF"sv, "NUMBER"sv, "NUMERIC"sv, "OBJECT"sv, "OF"sv, "OFFLINE"sv, "OFFSET"sv, "OLD"sv, "ON"sv,
    "ONLINE"sv, "ONLY"sv, "OPAQUE"sv, "OPEN"sv, "OPERATOR"sv, "OPTION"sv, "OR"sv, "ORDER"sv, "ORDINALITY"sv,
    "OTHER"sv, "OTHERS"sv, "OUT"sv, "OUTER"sv, "OUTPUT"sv, "OVER"sv, "OVERLAPS"sv, "OVERRIDE"sv, "OWNER"sv,
    "PAD"sv, "PARALLEL"sv, "PARAMETER"sv, "PARAMETERS"sv, "PARTIAL"sv, "PARTITION"sv, "PARTITIONED"sv,
    "PARTITIONS"sv, "PATH"sv, "PERCENT"sv, "PERCENTILE"sv, "PERMISSION"sv, "PERMISSIONS"sv, "PIPE"sv,
    "PIPELINED"sv, "PLAN"sv, "POOL"sv, "POSITION"sv, "PRECISION"sv, "PREPARE"sv, "PRESERVE"sv, "PRIMARY"sv,
    "PRIOR"sv, "PRIVATE"sv, "PRIVILEGES"sv, "PROCEDURE"sv, "PROCESSED"sv, "PROJECT"sv, "PROJECTION"sv,
    "PROPERTY"sv, "PROVISIONING"sv, "PUBLIC"sv, "PUT"sv, "QUERY"sv, "QUIT"sv, "QUORUM"sv, "RAISE"sv,
    "RANDOM"sv, "RANGE"sv, "RANK"sv, "RAW"sv, "READ"sv, "READS"sv, "REAL"sv, "REBUILD"sv, "RECORD"sv,
    "RECURSIVE"sv, "REDUCE"sv, "REF"sv, "REFERENCE"sv, "REFERENCES"sv, "REFERENCING"sv, "REGEXP"sv,
    "REGION"sv, "REINDEX"sv, "RELATIVE"sv, "RELEASE"sv, "REMAINDER"sv, "RENAME"sv, "REPEAT"sv, "REPLACE"sv,
    "REQUEST"sv, "RESET"sv, "RESIGNAL"sv, "RESOURCE"sv, "RESPONSE"sv, "RESTORE"sv, "RESTRICT"sv, "RESULT"sv,
    "RETURN"sv, "RETURNING"sv, "RETURNS"sv, "REVERSE"sv, "REVOKE"sv, "RIGHT"sv, "ROLE"sv, "ROLES"sv,
    "ROLLBACK"sv, "ROLLUP"sv, "ROUTINE"sv, "ROW"sv, "ROWS"sv, "RULE"sv, "RULES"sv, "SAMPLE"sv, "SATISFIES"sv,
    "SAVE"sv, "SAVEPOINT"sv, "SCAN"sv, "SCHEMA"sv, "SCOPE"sv, "SCROLL"sv, "SEARCH"sv, "SECOND"sv,
    "SECTION"sv, "SEGMENT"sv, "SEGMENTS"sv, "SELECT"sv, "SELF"sv, "SEMI"sv, "SENSITIVE"sv, "SEPARATE"sv,
    "SEQUENCE"sv, "SERIALIZABLE"sv, "SESSION"sv, "SET"sv, "SETS"sv, "SHARD"sv, "SHARE"sv, "SHARED"sv,
    "SHORT"sv, "SHOW"sv, "SIGNAL"sv, "SIMILAR"sv, "SIZE"sv, "SKEWED"sv, "SMALLINT"sv, "SNAPSHOT"sv, "SOME"sv,
    "SOURCE"sv, "SPACE"sv, "SPACES"sv, "SPARSE"sv, "SPECIFIC"sv, "SPECIFICTYPE"sv, "SPLIT"sv, "SQL"sv,
    "SQLCODE"sv, "SQLERROR"sv, "SQLEXCEPTION"sv, "SQLSTATE"sv, "SQLWARNING"sv, "START"sv, "STATE"sv,
    "STATIC"sv, "STATUS"sv, "STORAGE"sv, "STORE"sv, "STORED"sv, "STREAM"sv, "STRING"sv, "STRUCT"sv,
    "STYLE"sv, "SUB"sv, "SUBMULTISET"sv, "SUBPARTITION"sv, "SUBSTRING"sv, "SUBTYPE"sv, "SUM"sv, "SUPER"sv,
    "SYMMETRIC"sv, "SYNONYM"sv, "SYSTEM"sv, "TABLE"sv, "TABLESAMPLE"sv, "TEMP"sv, "TEMPORARY"sv,
    "TERMINATED"sv, "TEXT"sv, "THAN"sv, "THEN"sv, "THROUGHPUT"sv, "TIME"sv, "TIMESTAMP"sv, "TIMEZONE"sv,
    "TINYINT"sv, "TO"sv, "TOKEN"sv, "TOTAL"sv, "TOUCH"sv, "TRAILING"sv, "TRANSACTION"sv, "TRANSFORM"sv,
    "TRANSLATE"sv, "TRANSLATION"sv, "TREAT"sv, "TRIGGER"sv, "TRIM"sv, "TRUE"sv, "TRUNCATE"sv, "TTL"sv,
    "TUPLE"sv, "TYPE"sv, "UNDER"sv, "UNDO"sv, "UNION"sv, "UNIQUE"sv, "UNIT"sv, "UNKNOWN"sv, "UNLOGGED"sv,
    "UNNEST"sv, "UNPROCESSED"sv, "UNSIGNED"sv, "UNTIL"sv, "UPDATE"sv, "UPPER"sv, "URL"sv, "USAGE"sv, "USE"sv,
    "USER"sv, "USERS"sv, "USING"sv, "UUID"sv, "VACUUM"sv, "VALUE"sv, "VALUED"sv, "VALUES"sv, "VARCHAR"sv,
    "VARIABLE"sv, "VARIANCE"sv, "VARINT"sv, "VARYING"sv, "VIEW"sv, "VIEWS"sv, "VIRTUAL"sv, "VOID"sv,
    "WAIT"sv, "WHEN"sv, "WHENEVER"sv, "WHERE"sv, "WHILE"sv, "WINDOW"sv, "WITH"sv, "WITHIN"sv, "WITHOUT"sv,
    "WORK"sv, "WRAPPED"sv, "WRITE"sv, "YEAR"sv, "ZONE"sv,
    // clang-format on
};

static_assert(std::size(kReservedWords) == 573);
static_assert(std::ranges::is_sorted(kReservedWords));

constexpr size_t kLongestWord =
    std::ranges::max_element(kReservedWords, {}, [](std::string_view word) { return word.size(); })->size();

}  // namespace

bool is_reserved_word(std::string_view word) {
  if (word.size() > kLongestWord) return false;
  std::array<char, kLongestWord> upper;
  std::ranges::transform(word, upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return std::ranges::binary_search(kReservedWords, std::string_view(upper.data(), word.size()));
}

}  // namespace sheaf::expr
