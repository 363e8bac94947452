terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# One request, sent and billed when the resource is created. Its result is in the state only.
resource "kcloud_text_translation" "greeting" {
  text         = "Good day"
  src_language = "eng_Latn"
  tgt_language = "hin_Deva"
}

output "greeting" {
  value     = kcloud_text_translation.greeting.translated_text
  sensitive = true
}
