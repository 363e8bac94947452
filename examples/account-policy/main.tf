resource "kcloud_account_policy" "readers" {
  name = "readers"
  statements = jsonencode([
    { effect = "allow", action = ["kos:GetObject"], resource = ["*"] },
  ])
}
