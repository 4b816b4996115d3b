// The Kubernetes provider of Pulumi. Its own main package embeds files that are generated at release and are not in the
// module; schema.json and terraform-mapping.json are what those are made from, and the build lays them beside this file.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

var version string

//go:embed schema.json
var schema []byte

//go:embed terraform-mapping.json
var terraformMapping []byte

func main() {
	provider.Serve("kubernetes", version, schema, terraformMapping)
}
