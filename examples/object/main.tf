terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# Objects are written in a session of an access key: SERVICE_ACCESS_KEY and SERVICE_SECRET_KEY, or access_key and
# secret_key of the provider.
resource "kcloud_bucket" "site" {
  name = "shop-site"
}

resource "kcloud_object" "page" {
  bucket_id    = kcloud_bucket.site.id
  key          = "index.html"
  content      = "<h1>Shop</h1>"
  content_type = "text/html"
}

# A changed file is uploaded by the next apply.
resource "kcloud_object" "source" {
  bucket_id = kcloud_bucket.site.id
  key       = "source/main.tf"
  source    = "${path.module}/main.tf"
}

output "etag" {
  value = kcloud_object.source.etag
}
