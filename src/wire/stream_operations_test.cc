// ListStreams, DescribeStream, GetShardIterator and GetRecords.
#include "wire/stream_operations.h"

#include "store/faulty_store.h"
#include "wire/stream_places.h"
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

constexpr int64_t kHourUs = 3600 * kSecondUs;

class StreamOperations : public WireTest {
 protected:
  explicit StreamOperations(OpenStore open_store = store::open_memory_store) : WireTest(open_store) {}

  // Makes a table with a stream, and returns the stream's ARN.
  std::string open(const std::string& name, const std::string& view = "NEW_AND_OLD_IMAGES") {
    return create(name, ",'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'" + view + "'}")
        .at("/TableDescription/LatestStreamArn");
  }
  void close(const std::string& name) {
    must("UpdateTable", "{'TableName':'" + name + "','StreamSpecification':{'StreamEnabled':false}}");
  }
  std::string shard(const std::string& arn, int number) {
    return must("DescribeStream", "{'StreamArn':'" + arn + "'}")
        .at("/StreamDescription/Shards/" + std::to_string(number) + "/ShardId");
  }
  static std::string iterator_request(const std::string& arn, const std::string& shard,
                                      const std::string& type, const std::string& sequence = "") {
    return "{'StreamArn':'" + arn + "','ShardId':'" + shard + "','ShardIteratorType':'" + type + "'" +
           (sequence.empty() ? "" : ",'SequenceNumber':'" + sequence + "'") + "}";
  }
  std::string iterator(const std::string& arn, const std::string& shard, const std::string& type,
                       const std::string& sequence = "") {
    return must("GetShardIterator", iterator_request(arn, shard, type, sequence)).at("/ShardIterator");
  }
  Reply records(const std::string& shard_iterator, const std::string& more = "") {
    return must("GetRecords", "{'ShardIterator':'" + shard_iterator + "'" + more + "}");
  }
  // The shard in which the changes of an item lie, if it has any.
  std::string shard_with_records(const std::string& arn) {
    for (int i = 0; i < 4; ++i) {
      const std::string id = shard(arn, i);
      if (records(iterator(arn, id, "TRIM_HORIZON")).has("/Records/0")) return id;
    }
    return "none";
  }
  void put_number(const std::string& table, int number) {
    put(table, "{'pk':{'S':'a'},'n':{'N':'" + std::to_string(number) + "'}}");
    clock_.advance_us(kSecondUs);
  }
};

TEST_F(StreamOperations, ARecordTellsWhatHappened) {
  const std::string arn = open("Things");
  put("Things", "{'pk':{'S':'a'},'x':{'N':'1'}}");
  put("Things", "{'pk':{'S':'a'},'x':{'N':'2'}}");
  must("DeleteItem", "{'TableName':'Things','Key':{'pk':{'S':'a'}}}");
  const Reply reply = records(iterator(arn, shard_with_records(arn), "TRIM_HORIZON"));
  const auto expected = [&](int number, const std::string& kind, const std::string& images, int size) {
    const std::string at = "/Records/" + std::to_string(number);
    return json("{'eventID':'" + reply.at(at + "/eventID") + "','eventName':'" + kind +
                "','eventVersion':'1.1','eventSource':'aws:dynamodb','awsRegion':'us-east-1','dynamodb':{"
                "'ApproximateCreationDateTime':1800000000,'Keys':{'pk':{'S':'a'}}," +
                images + "'SequenceNumber':'" + reply.at(at + "/dynamodb/SequenceNumber") +
                "','SizeBytes':" + std::to_string(size) + ",'StreamViewType':'NEW_AND_OLD_IMAGES'}}");
  };
  const std::string one = "{'pk':{'S':'a'},'x':{'N':'1'}}", two = "{'pk':{'S':'a'},'x':{'N':'2'}}";
  EXPECT_EQ(reply.at("/Records/0"), expected(0, "INSERT", "'NewImage':" + one + ",", 9));
  EXPECT_EQ(reply.at("/Records/1"),
            expected(1, "MODIFY", "'NewImage':" + two + ",'OldImage':" + one + ",", 15));
  EXPECT_EQ(reply.at("/Records/2"), expected(2, "REMOVE", "'OldImage':" + two + ",", 9));
  EXPECT_FALSE(reply.has("/Records/3"));
  const std::string id = reply.at("/Records/0/eventID");
  EXPECT_EQ(id.size(), 32u);
  EXPECT_NE(id, reply.at("/Records/1/eventID"));
  EXPECT_LT(reply.at("/Records/0/dynamodb/SequenceNumber"), reply.at("/Records/1/dynamodb/SequenceNumber"));
  EXPECT_EQ(records(iterator(arn, shard_with_records(arn), "TRIM_HORIZON")).at("/Records/0/eventID"), id);
}

TEST_F(StreamOperations, ExpiredItemsNameWhoRemovedThem) {
  const std::string arn = open("Things", "OLD_IMAGE");
  must("UpdateTimeToLive",
       "{'TableName':'Things','TimeToLiveSpecification':{'Enabled':true,'AttributeName':'ttl'}}");
  put("Things", "{'pk':{'S':'a'},'ttl':{'N':'1799999990'}}");
  settle();
  const Reply reply = records(iterator(arn, shard_with_records(arn), "TRIM_HORIZON"));
  EXPECT_FALSE(reply.has("/Records/0/userIdentity"));
  EXPECT_EQ(reply.at("/Records/1/eventName"), "REMOVE");
  EXPECT_EQ(reply.at("/Records/1/userIdentity"),
            json("{'PrincipalId':'dynamodb.amazonaws.com','Type':'Service'}"));
}

TEST_F(StreamOperations, AStreamIsDescribed) {
  const std::string arn = open("Things", "KEYS_ONLY");
  const Reply reply = must("DescribeStream", "{'StreamArn':'" + arn + "'}");
  const std::string first = reply.at("/StreamDescription/Shards/0/ShardId");
  EXPECT_EQ(first.size(), 37u);
  EXPECT_TRUE(first.starts_with("shardId-00000001800000000123-")) << first;
  EXPECT_EQ(reply.at("/StreamDescription/Shards/0"),
            json("{'ShardId':'" + first +
                 "','SequenceNumberRange':{'StartingSequenceNumber':'10180000000012345600000'}}"));
  EXPECT_TRUE(reply.has("/StreamDescription/Shards/3"));
  EXPECT_FALSE(reply.has("/StreamDescription/Shards/4"));
  EXPECT_EQ(
      must("DescribeStream", "{'StreamArn':'" + arn + "','Limit':1}").body(),
      json("{'StreamDescription':{'StreamArn':'" + arn +
           "','StreamLabel':'2027-01-15T08:00:00.123','StreamStatus':'ENABLED','StreamViewType':'KEYS_ONLY',"
           "'CreationRequestDateTime':1800000000.123,'TableName':'Things','KeySchema':[{'AttributeName':"
           "'pk','KeyType':'HASH'}],'Shards':[" +
           reply.at("/StreamDescription/Shards/0") + "],'LastEvaluatedShardId':'" + first + "'}}"));
  const Reply rest =
      must("DescribeStream", "{'StreamArn':'" + arn + "','ExclusiveStartShardId':'" + first + "'}");
  EXPECT_EQ(rest.at("/StreamDescription/Shards/0"), reply.at("/StreamDescription/Shards/1"));
  EXPECT_TRUE(rest.has("/StreamDescription/Shards/2"));
  EXPECT_FALSE(rest.has("/StreamDescription/LastEvaluatedShardId"));
  EXPECT_EQ(must("DescribeStream", "{'StreamArn':'" + arn +
                                       "','ShardFilter':{'Type':'CHILD_SHARDS','ShardId':'" + first + "'}}")
                .at("/StreamDescription/Shards"),
            "[]");
}

TEST_F(StreamOperations, AClosedStreamIsReadToItsEnd) {
  const std::string arn = open("Things");
  put_number("Things", 1);
  const std::string id = shard_with_records(arn);
  const std::string before = iterator(arn, id, "TRIM_HORIZON");
  close("Things");
  put_number("Things", 2);
  const Reply described = must("DescribeStream", "{'StreamArn':'" + arn + "'}");
  EXPECT_EQ(described.at("/StreamDescription/StreamStatus"), "DISABLED");
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(described.has("/StreamDescription/Shards/" + std::to_string(i) +
                              "/SequenceNumberRange/EndingSequenceNumber"));
  }
  const Reply read = records(before);
  EXPECT_TRUE(read.has("/Records/0"));
  EXPECT_FALSE(read.has("/Records/1"));
  EXPECT_FALSE(read.has("/NextShardIterator"));
  const std::string last = read.at("/Records/0/dynamodb/SequenceNumber");
  EXPECT_NE(described.body().find("\"EndingSequenceNumber\":\"" + last + "\""), std::string::npos);
  EXPECT_EQ(records(iterator(arn, id, "LATEST")).body(), json("{'Records':[]}"));
  clock_.advance_us(25 * kHourUs);
  settle();
  EXPECT_EQ(refusal("DescribeStream", "{'StreamArn':'" + arn + "'}"),
            "ResourceNotFoundException: Requested resource not found: Stream: " + arn + " not found");
}

TEST_F(StreamOperations, IteratorsBeginWhereTheyAreTold) {
  const std::string arn = open("Things", "NEW_IMAGE");
  for (int i = 1; i <= 3; ++i) put_number("Things", i);
  const std::string id = shard_with_records(arn);
  const Reply all = records(iterator(arn, id, "TRIM_HORIZON"));
  const auto number = [](const Reply& reply, int at) {
    return reply.at("/Records/" + std::to_string(at) + "/dynamodb/NewImage/n/N");
  };
  EXPECT_EQ(number(all, 0) + number(all, 1) + number(all, 2) + number(all, 3), "123-");
  const std::string second = all.at("/Records/1/dynamodb/SequenceNumber");
  EXPECT_EQ(number(records(iterator(arn, id, "AT_SEQUENCE_NUMBER", second)), 0), "2");
  EXPECT_EQ(number(records(iterator(arn, id, "AFTER_SEQUENCE_NUMBER", second)), 0), "3");
  const std::string latest = iterator(arn, id, "LATEST");
  EXPECT_EQ(number(records(latest), 0), "-");
  put_number("Things", 4);
  EXPECT_EQ(number(records(latest), 0), "4");
  EXPECT_EQ(number(records(all.at("/NextShardIterator")), 0), "4");
  const std::string start = sequence_number({.stamp = static_cast<uint64_t>(kTestStartUs)});
  for (const char* type : {"AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"})
    EXPECT_EQ(number(records(iterator(arn, id, type, start)), 0), "1");
}

TEST_F(StreamOperations, ReadersGoOnPieceByPiece) {
  const std::string arn = open("Things", "NEW_IMAGE");
  for (int i = 0; i < 25; ++i) put_number("Things", i);
  std::string next = iterator(arn, shard_with_records(arn), "TRIM_HORIZON");
  int seen = 0;
  for (int page = 0; page < 4; ++page) {
    const Reply reply = records(next, ",'Limit':10");
    EXPECT_FALSE(reply.has("/Records/10"));
    for (int i = 0; reply.has("/Records/" + std::to_string(i)); ++i) {
      EXPECT_EQ(reply.at("/Records/" + std::to_string(i) + "/dynamodb/NewImage/n/N"), std::to_string(seen));
      ++seen;
    }
    next = reply.at("/NextShardIterator");
  }
  EXPECT_EQ(seen, 25);
}

TEST_F(StreamOperations, IteratorsAndRecordsGrowOld) {
  const std::string arn = open("Things", "NEW_IMAGE");
  put_number("Things", 1);
  const std::string id = shard_with_records(arn);
  const Reply first = records(iterator(arn, id, "TRIM_HORIZON"));
  const std::string sequence = first.at("/Records/0/dynamodb/SequenceNumber");
  clock_.advance_us(14 * 60 * kSecondUs);
  const std::string kept = records(first.at("/NextShardIterator")).at("/NextShardIterator");
  clock_.advance_us(14 * 60 * kSecondUs);
  EXPECT_EQ(refusal("GetRecords", "{'ShardIterator':'" + first.at("/NextShardIterator") + "'}"),
            "ExpiredIteratorException: Iterator expired. The iterator was created more than 15 minutes ago.");
  EXPECT_TRUE(records(kept).has("/NextShardIterator"));
  clock_.advance_us(24 * kHourUs - 28 * 60 * kSecondUs - 2 * kSecondUs);
  const std::string at_record = iterator(arn, id, "AT_SEQUENCE_NUMBER", sequence);
  clock_.advance_us(2 * kSecondUs);
  const std::string trimmed =
      "TrimmedDataAccessException: The data you are trying to access has been trimmed";
  EXPECT_EQ(refusal("GetRecords", "{'ShardIterator':'" + at_record + "'}"), trimmed);
  EXPECT_EQ(refusal("GetShardIterator", iterator_request(arn, id, "AFTER_SEQUENCE_NUMBER", sequence)),
            trimmed);
  // The beginning is a place to begin at, however old the stream is.
  const std::string start = sequence_number({.stamp = static_cast<uint64_t>(kTestStartUs)});
  EXPECT_FALSE(records(iterator(arn, id, "AT_SEQUENCE_NUMBER", start)).has("/Records/0"));
  EXPECT_FALSE(records(iterator(arn, id, "TRIM_HORIZON")).has("/Records/0"));
}

TEST_F(StreamOperations, WhatIsNotThereIsNamed) {
  const std::string arn = open("Things");
  const std::string id = shard(arn, 0);
  const std::string unknown =
      "arn:aws:dynamodb:us-east-1:000000000000:table/Nothing/stream/2027-01-15T08:00:00.123";
  const std::string other = arn.substr(0, arn.size() - 3) + "999";
  for (const std::string& missing : {unknown, other}) {
    const std::string expected =
        "ResourceNotFoundException: Requested resource not found: Stream: " + missing + " not found";
    EXPECT_EQ(refusal("DescribeStream", "{'StreamArn':'" + missing + "'}"), expected);
    EXPECT_EQ(refusal("GetShardIterator", iterator_request(missing, id, "LATEST")), expected);
  }
  EXPECT_EQ(
      refusal("GetShardIterator", iterator_request(arn, "shardId-00000000000000000000-00000000", "LATEST")),
      "ResourceNotFoundException: Requested resource not found: Shard does not exist");
  const std::string reading = iterator(arn, id, "LATEST");
  must("DeleteTable", "{'TableName':'Things'}");
  const std::string gone =
      "ResourceNotFoundException: Requested resource not found: Stream: " + arn + " not found";
  EXPECT_EQ(refusal("GetRecords", "{'ShardIterator':'" + reading + "'}"), gone);
  EXPECT_EQ(refusal("DescribeStream", "{'StreamArn':'" + arn + "'}"), gone);
  settle();
  EXPECT_EQ(refusal("GetRecords", "{'ShardIterator':'" + reading + "'}"), gone);
}

TEST_F(StreamOperations, RequestsAreChecked) {
  const std::string arn = open("Things");
  const std::string id = shard(arn, 0);
  const std::string nonsense(40, 'x');
  EXPECT_EQ(refusal("DescribeStream", "{'StreamArn':'x'}"),
            violated("'x'", "streamArn", "have length greater than or equal to 37"));
  EXPECT_EQ(refusal("DescribeStream", "{'StreamArn':'" + nonsense + "'}"), invalid("Invalid StreamArn"));
  EXPECT_EQ(refusal("ListStreams", "{'ExclusiveStartStreamArn':'" + nonsense + "'}"),
            invalid("Invalid StreamArn"));
  EXPECT_EQ(refusal("DescribeStream", "{'StreamArn':'" + arn + "','Limit':101}"),
            violated("'101'", "limit", "have value less than or equal to 100"));
  EXPECT_EQ(refusal("DescribeStream", "{'StreamArn':'" + arn + "','ShardFilter':{'ShardId':'qwerty'}}"),
            invalid("2 validation errors detected: Value null at 'shardFilter.type' failed to satisfy "
                    "constraint: Member must not be null; Value 'qwerty' at 'shardFilter.shardId' failed to "
                    "satisfy constraint: Member must have length greater than or equal to 28"));
  EXPECT_EQ(refusal("ListStreams", "{'Limit':0}"),
            violated("'0'", "limit", "have value greater than or equal to 1"));
  EXPECT_EQ(
      refusal("GetShardIterator", iterator_request(arn, id, "bulle")),
      violated("'bulle'", "shardIteratorType",
               "satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_SEQUENCE_NUMBER, TRIM_HORIZON]"));
  for (const std::string type : {"AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"}) {
    EXPECT_EQ(refusal("GetShardIterator", iterator_request(arn, id, type)),
              invalid_value("SequenceNumber is required when ShardIteratorType is " + type));
    for (const std::string& sequence : {nonsense, std::string(21, '1'), sequence_number({.stamp = 5}),
                                        sequence_number({.stamp = kTestStartUs + kHourUs})})
      EXPECT_EQ(refusal("GetShardIterator", iterator_request(arn, id, type, sequence)),
                invalid_value("Invalid SequenceNumber"))
          << sequence;
  }
  for (const std::string type : {"LATEST", "TRIM_HORIZON"}) {
    EXPECT_EQ(refusal("GetShardIterator", iterator_request(arn, id, type, sequence_number({}))),
              invalid_value("SequenceNumber must not be specified when ShardIteratorType is " + type));
  }
  EXPECT_EQ(refusal("GetRecords", "{'ShardIterator':'" + nonsense + "'}"), invalid("Invalid ShardIterator"));
  EXPECT_EQ(refusal("GetRecords", "{}"), violated("null", "shardIterator", "not be null"));
  const std::string limits[] = {"'1001'", "'0'", "'-1'"};
  for (const std::string& limit : limits) {
    EXPECT_EQ(refusal("GetRecords", "{'ShardIterator':'" + nonsense +
                                        "','Limit':" + limit.substr(1, limit.size() - 2) + "}"),
              violated(limit, "limit",
                       limit == "'1001'" ? "have value less than or equal to 1000"
                                         : "have value greater than or equal to 1"));
  }
}

TEST_F(StreamOperations, StreamsAreListedByTableAndAge) {
  EXPECT_EQ(must("ListStreams", "{}").body(), json("{'Streams':[]}"));
  create("plain");
  const std::string b = open("bbb");
  close("bbb");
  clock_.advance_us(kSecondUs);
  must("UpdateTable",
       "{'TableName':'bbb','StreamSpecification':{'StreamEnabled':true,'StreamViewType':'KEYS_ONLY'}}");
  const std::string b2 = describe("bbb").at("/Table/LatestStreamArn");
  const std::string a = open("aaa"), c = open("ccc");
  const auto arns = [](const Reply& reply) {
    std::vector<std::string> found;
    for (int i = 0; reply.has("/Streams/" + std::to_string(i)); ++i)
      found.push_back(reply.at("/Streams/" + std::to_string(i) + "/StreamArn"));
    return found;
  };
  using Arns = std::vector<std::string>;
  const Reply all = must("ListStreams", "{}");
  EXPECT_EQ(arns(all), (Arns{a, b, b2, c}));
  EXPECT_EQ(all.at("/Streams/0"),
            json("{'StreamArn':'" + a + "','TableName':'aaa','StreamLabel':'2027-01-15T08:00:01.123'}"));
  EXPECT_FALSE(all.has("/LastEvaluatedStreamArn"));
  EXPECT_EQ(arns(must("ListStreams", "{'TableName':'bbb'}")), (Arns{b, b2}));
  EXPECT_EQ(arns(must("ListStreams", "{'TableName':'nothing'}")), Arns{});
  EXPECT_EQ(arns(must("ListStreams", "{'TableName':'bbb','ExclusiveStartStreamArn':'" + b + "'}")),
            (Arns{b2}));
  Arns paged;
  std::string start;
  for (int page = 0; page < 4; ++page) {
    const Reply reply = must("ListStreams", "{'Limit':1" + start + "}");
    ASSERT_EQ(arns(reply).size(), 1u);
    paged.push_back(arns(reply)[0]);
    EXPECT_EQ(reply.has("/LastEvaluatedStreamArn"), page < 3);
    start = ",'ExclusiveStartStreamArn':'" + reply.at("/LastEvaluatedStreamArn") + "'";
  }
  EXPECT_EQ(paged, arns(all));
  must("DeleteTable", "{'TableName':'aaa'}");
  EXPECT_EQ(arns(must("ListStreams", "{}")), (Arns{b, b2, c}));
}

// A loop that never waits for the disk, and counts what it had others do.
class NonBlockingLoop final : public Loop {
 public:
  void post(Task task) override { posted_.push_back(std::move(task)); }
  bool may_block() const override { return false; }
  void run_blocking(Task task) override {
    ++sent_away;
    task();
  }
  void run_posted() {
    for (Task& task : std::exchange(posted_, {})) task();
  }
  int sent_away = 0;

 private:
  std::vector<Task> posted_;
};

class StreamsOnALoop : public StreamOperations {
 protected:
  explicit StreamsOnALoop(OpenStore open_store = store::open_memory_store) : StreamOperations(open_store) {}

  Reply read_on_loop(const std::string& shard_iterator) {
    const std::string request = json("{'ShardIterator':'" + shard_iterator + "'}");
    const std::string padded = request + std::string(simdjson::SIMDJSON_PADDING, ' ');
    const Operation& operation = *find_operation("DynamoDBStreams_20120810.GetRecords");
    Answer answer;
    run(operation, std::string_view(padded).substr(0, request.size()),
        Call{database_, account_, loop_, [&](Answer given) { answer = std::move(given); }});
    loop_.run_posted();
    return Reply(std::move(answer));
  }

  NonBlockingLoop loop_;
};

TEST_F(StreamsOnALoop, WhatIsInMemoryIsAnsweredAtOnce) {
  const std::string arn = open("Things");
  put_number("Things", 1);
  const std::string first = iterator(arn, shard_with_records(arn), "TRIM_HORIZON");
  EXPECT_EQ(read_on_loop(first).at("/Records/0/eventName"), "INSERT");
  EXPECT_EQ(loop_.sent_away, 0);
  must("DeleteTable", "{'TableName':'Things'}");
  EXPECT_EQ(read_on_loop(first).refusal(),
            "ResourceNotFoundException: Requested resource not found: Stream: " + arn + " not found");
  EXPECT_EQ(loop_.sent_away, 1) << "that there is none, only the store can tell";
}

// Whose scans for readers that must not wait end after three rows at most.
std::unique_ptr<store::Store> open_cold_store(const Clock& clock) {
  return std::make_unique<store::FaultyStore>(store::open_memory_store(clock),
                                              store::FaultyOptions{.would_block = 1});
}

class StreamsOfAColdStore : public StreamsOnALoop {
 protected:
  StreamsOfAColdStore() : StreamsOnALoop(open_cold_store) {}
};

TEST_F(StreamsOfAColdStore, WhatIsOnDiskIsReadElsewhere) {
  const std::string arn = open("Things");
  for (int i = 0; i < 5; ++i) put_number("Things", i);
  const Reply reply = read_on_loop(iterator(arn, shard_with_records(arn), "TRIM_HORIZON"));
  EXPECT_EQ(reply.at("/Records/0/eventName"), "INSERT");
  EXPECT_TRUE(reply.has("/Records/4"));
  EXPECT_EQ(loop_.sent_away, 1);
}

}  // namespace
}  // namespace sheaf::wire
