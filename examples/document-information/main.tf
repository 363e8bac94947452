terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# The document is submitted, and billed, when the resource is created. The API deletes no job: a destroy only removes
# it from the state.
resource "kcloud_document_information" "letter" {
  language  = "english"
  file_type = "Digital"
  content   = "Name: Ana\nCity: Pune\nThe order is late."

  entities        = ["PII", "key_value"]
  keys_to_extract = ["City"]
}

# The URL of the result expires, so no resource stores it: this data source reads a new one each time.
data "kcloud_document_result" "letter" {
  file_id = kcloud_document_information.letter.file_id
}

output "document" {
  value = kcloud_document_information.letter
  # The content can contain personal data.
  sensitive = true
}

output "status" {
  value = data.kcloud_document_result.letter.status
}
