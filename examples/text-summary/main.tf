terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# One request, sent and billed when the resource is created. Its result is in the state only.
resource "kcloud_text_summary" "release" {
  text           = "The release adds a search. It also removes an old page. Nothing else changed."
  input_language = "eng"
  summary_size   = 12
}

# The summary can contain personal data, like the text.
output "summary" {
  value     = kcloud_text_summary.release.summary
  sensitive = true
}
