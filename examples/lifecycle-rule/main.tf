terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

resource "kcloud_bucket" "logs" {
  name       = "shop-logs"
  versioning = true
}

resource "kcloud_lifecycle_rule" "old" {
  bucket_id             = kcloud_bucket.logs.id
  name                  = "old"
  expiration_days       = 90
  noncurrent_days       = 7
  delete_incomplete_mpu = 1
}
