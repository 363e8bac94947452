module engine

go 1.25.11

// The last release whose tagged module holds the Go host. It shares no module with the CLI's newer sdk.
require github.com/pulumi/pulumi/sdk/v3 v3.66.0
