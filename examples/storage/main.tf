# A website with access rules, lifecycle of old versions and an access key

terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# Objects are written in a session of an access key: SERVICE_ACCESS_KEY and SERVICE_SECRET_KEY. A destroy requires two
# one-time passwords, one for the bucket and one for the key: SERVICE_OTP_COMMAND.
resource "kcloud_bucket" "site" {
  name       = "shop-site"
  versioning = true
  tags       = { team = "shop" }
}

resource "kcloud_bucket_policy" "site" {
  bucket_id      = kcloud_bucket.site.id
  read_write_ips = ["10.0.0.0/24"]
  read_only_ips  = ["192.0.2.0/24"]
}

resource "kcloud_lifecycle_rule" "former" {
  bucket_id             = kcloud_bucket.site.id
  name                  = "former"
  noncurrent_days       = 30
  delete_incomplete_mpu = 1
}

resource "kcloud_access_key" "uploads" {
  name = "uploads"

  lifecycle {
    create_before_destroy = true
  }
}

resource "kcloud_object" "home" {
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

output "bucket_id" {
  value = kcloud_bucket.site.id
}

output "access_key" {
  value = kcloud_access_key.uploads.id
}

output "secret_key" {
  value     = kcloud_access_key.uploads.secret_key
  sensitive = true
}
