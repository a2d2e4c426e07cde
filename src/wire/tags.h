// TagResource, UntagResource and ListTagsOfResource, and the tags of CreateTable.
#pragma once

#include <map>
#include <string>

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kTagResourceShape, kUntagResourceShape, kListTagsOfResourceShape;

void tag_resource(Call call, const Input& input);
void untag_resource(Call call, const Input& input);
void list_tags_of_resource(Call call, const Input& input);

// The list of tags in a member; none if it is not there.
Result<std::map<std::string, std::string>> read_tags(const Fields& request, size_t member);

}  // namespace sheaf::wire
