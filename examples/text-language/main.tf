terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# One request, sent and billed when the resource is created. Its result is in the state only.
resource "kcloud_text_language" "greeting" {
  query = "नमस्ते"
}

output "languages" {
  value = kcloud_text_language.greeting.languages
}
