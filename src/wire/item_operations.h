// PutItem, UpdateItem, DeleteItem and GetItem as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kPutItemShape, kUpdateItemShape, kDeleteItemShape, kGetItemShape;

void put_item(Call call, const Input& input);
void update_item(Call call, const Input& input);
void delete_item(Call call, const Input& input);
void get_item(Call call, const Input& input);

// The answer to a write whose condition was not met.
Answer condition_failed(const std::optional<Item>& item);

}  // namespace sheaf::wire
