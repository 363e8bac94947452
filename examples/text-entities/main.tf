terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# One request, sent and billed when the resource is created. Its result is in the state only.
resource "kcloud_text_entities" "order" {
  text       = "कृपया ana@example.com पर लिखें।"
  lang_from  = "hin"
  param_list = ["pii", "ner"]
}

output "total_entities" {
  value = kcloud_text_entities.order.total_entities
}
