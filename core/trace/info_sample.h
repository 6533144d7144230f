#pragma once

#include "core/bytepack/detect.h"
#include "core/io/page_reader.h"

namespace bytescope::trace {

/// What a sample of the referenced infos looks like; tells dialect L from its elders (FORMAT.md).
struct InfoSample {
  bool any_object = false;  ///< Some info is a JSON object.
  bool any_other = false;   ///< Some info is not.
  Where first;              ///< The first span looked at.
  /// Whether infos of that form can look like this.
  bool allows(bytepack::InfoForm form) const {
    return form == bytepack::InfoForm::json ? !any_other : !(any_object && !any_other);
  }
};

/// Looks at the infos of at most 512 spans of a reading, spread over its tracks.
InfoSample sample_infos(io::PageReader& reader, const bytepack::Reading& reading,
                        const bytepack::StringTable& strings);

}  // namespace bytescope::trace
