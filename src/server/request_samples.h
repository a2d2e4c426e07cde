// One request and more of every operation, with every parameter it has: what fuzzing starts from.
#pragma once

#include <string_view>

namespace sheaf::server {

struct RequestSample {
  std::string_view target;  // without its version
  std::string_view body;
};

// On the tables "abc" and "def" of endpoint_fuzz.cc.
inline constexpr RequestSample kRequestSamples[] = {
    {"DynamoDB_20120810.PutItem",
     R"~({"TableName":"abc","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"l":{"N":"-2.5e3"},)~"
     R"~("b":{"B":"AAEC"},"yes":{"BOOL":true},"no":{"NULL":true},"list":{"L":[{"S":"x"},{"N":"1"},{"L":[]}]},)~"
     R"~("map":{"M":{"x":{"M":{"y":{"N":"0"}}}}},"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]},"bs":{"BS":["AA=="]}},)~"
     R"~("ConditionExpression":"attribute_not_exists(#p) OR size(#m.x) >= :n AND NOT contains(ss, :s)",)~"
     R"~("ExpressionAttributeNames":{"#p":"pk","#m":"map"},"ExpressionAttributeValues":{":n":{"N":"1"},":s":{"S":"c"}},)~"
     R"~("ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE",)~"
     R"~("ReturnValuesOnConditionCheckFailure":"ALL_OLD"})~"},
    {"DynamoDB_20120810.PutItem",
     R"~({"TableName":"def","Item":{"id":{"B":"AQ=="},"a":{"S":"1"},"ttl":{"N":"1800000000"}},"ConditionalOperator":"OR",)~"
     R"~("Expected":{"a":{"Exists":false},"c":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"x"},{"S":"y"}]}}})~"},
    {"DynamoDB_20120810.GetItem",
     R"~({"TableName":"abc","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ProjectionExpression":"pk, #m.x.y, list[0], ss",)~"
     R"~("ExpressionAttributeNames":{"#m":"map"},"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"})~"},
    {"DynamoDB_20120810.GetItem",
     R"~({"TableName":"def","Key":{"id":{"B":"AQ=="}},"AttributesToGet":["a","b"]})~"},
    {"DynamoDB_20120810.UpdateItem",
     R"~({"TableName":"abc","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"UpdateExpression":"SET l = if_not_exists(l, :n) + :n, )~"
     R"~(list = list_append(list, :l), #m.x.y = map.x.y - :n REMOVE list[0], g ADD ns :ns, total :n DELETE ss :ss",)~"
     R"~("ConditionExpression":"attribute_type(pk, :t) AND begins_with(pk, :a) AND sk BETWEEN :n AND :two AND pk IN (:a, :b)",)~"
     R"~("ExpressionAttributeNames":{"#m":"map"},"ExpressionAttributeValues":{":n":{"N":"1"},":two":{"N":"2"},)~"
     R"~(":l":{"L":[{"N":"7"}]},":ns":{"NS":["3"]},":ss":{"SS":["a"]},":t":{"S":"S"},":a":{"S":"a"},":b":{"S":"b"}},)~"
     R"~("ReturnValues":"UPDATED_NEW"})~"},
    {"DynamoDB_20120810.UpdateItem",
     R"~({"TableName":"def","Key":{"id":{"B":"AQ=="}},"AttributeUpdates":{"n":{"Action":"ADD","Value":{"N":"1"}},)~"
     R"~("a":{"Action":"DELETE"},"c":{"Action":"PUT","Value":{"S":"x"}}},"ReturnValues":"ALL_NEW",)~"
     R"~("Expected":{"n":{"ComparisonOperator":"GE","AttributeValueList":[{"N":"0"}]}}})~"},
    {"DynamoDB_20120810.DeleteItem",
     R"~({"TableName":"abc","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConditionExpression":"attribute_exists(pk) AND l <> :n",)~"
     R"~("ExpressionAttributeValues":{":n":{"N":"5"}},"ReturnValues":"ALL_OLD"})~"},
    {"DynamoDB_20120810.Query",
     R"~({"TableName":"abc","KeyConditionExpression":"pk = :a AND sk BETWEEN :n AND :m","FilterExpression":"size(list) < :m",)~"
     R"~("ExpressionAttributeValues":{":a":{"S":"a"},":n":{"N":"0"},":m":{"N":"9"}},"Limit":2,"ScanIndexForward":false,)~"
     R"~("Select":"SPECIFIC_ATTRIBUTES","ProjectionExpression":"pk, sk","ExclusiveStartKey":{"pk":{"S":"a"},"sk":{"N":"3"}}})~"},
    {"DynamoDB_20120810.Query",
     R"~({"TableName":"abc","IndexName":"gsi","KeyConditionExpression":"#g = :x","ExpressionAttributeNames":{"#g":"g"},)~"
     R"~("ExpressionAttributeValues":{":x":{"S":"x"}},"Select":"ALL_PROJECTED_ATTRIBUTES","ReturnConsumedCapacity":"INDEXES"})~"},
    {"DynamoDB_20120810.Query",
     R"~({"TableName":"abc","IndexName":"lsi","KeyConditions":{"pk":{"ComparisonOperator":"EQ",)~"
     R"~("AttributeValueList":[{"S":"a"}]},"l":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"0"},{"N":"1"}]}},)~"
     R"~("QueryFilter":{"g":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"x"}]}},"ConsistentRead":true,)~"
     R"~("ConditionalOperator":"AND","Select":"COUNT"})~"},
    {"DynamoDB_20120810.Scan",
     R"~({"TableName":"abc","FilterExpression":"contains(#s, :a) OR NOT (l > :n)","ExpressionAttributeNames":{"#s":"ss"},)~"
     R"~("ExpressionAttributeValues":{":a":{"S":"a"},":n":{"N":"1"}},"TotalSegments":3,"Segment":1,"Limit":5})~"},
    {"DynamoDB_20120810.Scan",
     R"~({"TableName":"def","ScanFilter":{"a":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"x"}]},)~"
     R"~("c":{"ComparisonOperator":"NULL"}},"ConditionalOperator":"OR","ExclusiveStartKey":{"id":{"B":"AQ=="}}})~"},
    {"DynamoDB_20120810.BatchGetItem",
     R"~({"RequestItems":{"abc":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}},{"pk":{"S":"a"},"sk":{"N":"2"}}],)~"
     R"~("ProjectionExpression":"#m","ExpressionAttributeNames":{"#m":"map"},"ConsistentRead":true},)~"
     R"~("def":{"Keys":[{"id":{"B":"AQ=="}}],"AttributesToGet":["a"]}},"ReturnConsumedCapacity":"TOTAL"})~"},
    {"DynamoDB_20120810.BatchWriteItem",
     R"~({"RequestItems":{"abc":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"2"},"l":{"N":"1"}}}},)~"
     R"~({"DeleteRequest":{"Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}}],"def":[{"PutRequest":{"Item":{"id":{"B":"Ag=="}}}}]},)~"
     R"~("ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"})~"},
    {"DynamoDB_20120810.TransactGetItems",
     R"~({"TransactItems":[{"Get":{"TableName":"abc","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ProjectionExpression":"list[1]"}},)~"
     R"~({"Get":{"TableName":"def","Key":{"id":{"B":"AQ=="}}}}],"ReturnConsumedCapacity":"TOTAL"})~"},
    {"DynamoDB_20120810.TransactWriteItems",
     R"~({"TransactItems":[{"Put":{"TableName":"abc","Item":{"pk":{"S":"t"},"sk":{"N":"1"}},)~"
     R"~("ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},)~"
     R"~({"Update":{"TableName":"abc","Key":{"pk":{"S":"t"},"sk":{"N":"2"}},"UpdateExpression":"SET #x = :n",)~"
     R"~("ExpressionAttributeNames":{"#x":"x"},"ExpressionAttributeValues":{":n":{"N":"1"}}}},)~"
     R"~({"Delete":{"TableName":"def","Key":{"id":{"B":"Ag=="}}}},)~"
     R"~({"ConditionCheck":{"TableName":"def","Key":{"id":{"B":"AQ=="}},"ConditionExpression":"attribute_exists(id)"}}],)~"
     R"~("ClientRequestToken":"token","ReturnConsumedCapacity":"TOTAL","ReturnItemCollectionMetrics":"SIZE"})~"},
    {"DynamoDB_20120810.CreateTable",
     R"~({"TableName":"new","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)~"
     R"~({"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"B"}],)~"
     R"~("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)~"
     R"~("LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)~"
     R"~({"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a"]}}],)~"
     R"~("GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],)~"
     R"~("Projection":{"ProjectionType":"KEYS_ONLY"},"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}],)~"
     R"~("BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},)~"
     R"~("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"Tags":[{"Key":"k","Value":"v"}],)~"
     R"~("SSESpecification":{"Enabled":true,"SSEType":"KMS"},"TableClass":"STANDARD","DeletionProtectionEnabled":true})~"},
    {"DynamoDB_20120810.UpdateTable",
     R"~({"TableName":"abc","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"h","AttributeType":"S"}],)~"
     R"~("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"more","KeySchema":[{"AttributeName":"h","KeyType":"HASH"}],)~"
     R"~("Projection":{"ProjectionType":"ALL"}}}],"TableClass":"STANDARD_INFREQUENT_ACCESS"})~"},
    {"DynamoDB_20120810.UpdateTable",
     R"~({"TableName":"abc","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"gsi"}}],"DeletionProtectionEnabled":false,)~"
     R"~("StreamSpecification":{"StreamEnabled":false}})~"},
    {"DynamoDB_20120810.DescribeTable", R"~({"TableName":"abc"})~"},
    {"DynamoDB_20120810.ListTables", R"~({"Limit":1,"ExclusiveStartTableName":"abc"})~"},
    {"DynamoDB_20120810.DeleteTable", R"~({"TableName":"def"})~"},
    {"DynamoDB_20120810.TagResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","Tags":[{"Key":"a","Value":"b"}]})~"},
    {"DynamoDB_20120810.UntagResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","TagKeys":["a"]})~"},
    {"DynamoDB_20120810.ListTagsOfResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc","NextToken":"x"})~"},
    {"DynamoDB_20120810.UpdateTimeToLive",
     R"~({"TableName":"def","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})~"},
    {"DynamoDB_20120810.DescribeTimeToLive", R"~({"TableName":"def"})~"},
    {"DynamoDB_20120810.UpdateContributorInsights",
     R"~({"TableName":"abc","IndexName":"gsi","ContributorInsightsAction":"ENABLE",)~"
     R"~("ContributorInsightsMode":"THROTTLED_KEYS"})~"},
    {"DynamoDB_20120810.UpdateContributorInsights",
     R"~({"TableName":"abc","ContributorInsightsAction":"DISABLE"})~"},
    {"DynamoDB_20120810.DescribeContributorInsights", R"~({"TableName":"abc","IndexName":"gsi"})~"},
    {"DynamoDB_20120810.ListContributorInsights",
     R"~({"TableName":"abc","MaxResults":1,"NextToken":"abc/gsi"})~"},
    {"DynamoDB_20120810.DescribeContinuousBackups", R"~({"TableName":"abc"})~"},
    {"DynamoDB_20120810.DescribeLimits", "{}"},
    {"DynamoDB_20120810.DescribeEndpoints", "{}"},
    {"DynamoDBStreams_20120810.ListStreams", R"~({"TableName":"abc","Limit":1})~"},
    {"DynamoDBStreams_20120810.DescribeStream", R"~({"StreamArn":"STREAM","Limit":10})~"},
    {"DynamoDBStreams_20120810.GetShardIterator",
     R"~({"StreamArn":"STREAM","ShardId":"SHARD","ShardIteratorType":"TRIM_HORIZON"})~"},
    {"DynamoDBStreams_20120810.GetShardIterator",
     R"~({"StreamArn":"STREAM","ShardId":"SHARD","ShardIteratorType":"AFTER_SEQUENCE_NUMBER","SequenceNumber":"1"})~"},
    {"DynamoDBStreams_20120810.GetRecords", R"~({"ShardIterator":"ITERATOR","Limit":3})~"},
};

}  // namespace sheaf::server
