terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# One request, sent and billed when the resource is created. Its result is in the state only.
resource "kcloud_text_sentiment" "review" {
  text      = "A great shop, and excellent service."
  lang_from = "eng"
}

output "sentiments" {
  value     = kcloud_text_sentiment.review.sentiments
  sensitive = true
}
