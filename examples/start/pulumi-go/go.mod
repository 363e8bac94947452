module shop

go 1.25.11

require github.com/pulumi/pulumi/sdk/v3 v3.259.0

replace kcloud.invalid/iac/sdk/go => ./sdks/kcloud
