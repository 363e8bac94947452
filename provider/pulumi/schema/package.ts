import { capital, provider } from "../../core/name.ts";

/** Facts of the owner in `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly author: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
  /** Address of an image. */
  readonly logo?: string;
}

/**
 * Returns the metadata of the package. An address below `.example`, where no owner is, is left out, with everything that
 * follows from it; the path of the Go module is then below `.invalid`, which no network serves.
 */
export function packageFacts(version: string, manifest: Manifest) {
  const { name, displayName, description, author, keywords, license } = manifest;
  const homepage = owned(manifest.homepage);
  const repository = owned(manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, ""));
  const logo = owned(manifest.logo);
  const major = Number.parseInt(version, 10);
  const base = repository === undefined ? neutralPath(name) : `${repository.host}${repository.pathname}`;
  // The folder of the package is at the root of the module, where `pulumi package add` writes it.
  const goModule = `${base}/sdk/go${major > 1 ? `/v${major}` : ""}`;
  return {
    displayName,
    description,
    publisher: author,
    keywords,
    license,
    ...(homepage && { homepage: homepage.href }),
    ...(repository && { repository: repository.href, pluginDownloadURL: downloadUrl(repository) }),
    ...(logo && { logoUrl: logo.href }),
    language: {
      // Pulumi writes the name both as an import and as a dependency, which cannot be a path in a package.
      nodejs: { packageName: name, respectSchemaVersion: true },
      python: {
        packageName: `pulumi_${provider}`,
        pyproject: { enabled: true },
        requires: { pulumi: ">=3.259.0,<4.0.0" },
        respectSchemaVersion: true,
      },
      go: {
        modulePath: goModule,
        importBasePath: `${goModule}/${provider}`,
        respectSchemaVersion: true,
      },
      csharp: {
        namespaces: { [provider]: capital(provider) },
        packageReferences: { Pulumi: "3.*" },
        respectSchemaVersion: true,
      },
      java: {
        ...(homepage && { basePackage: homepage.hostname.split(".").toReversed().join(".") }),
        buildFiles: "gradle",
      },
    },
  };
}

/** Returns an address of the owner; undefined for none and for one below `.example`. */
function owned(address: string | undefined): URL | undefined {
  const url = address === undefined ? undefined : new URL(address);
  return url?.hostname.endsWith(".example") ? undefined : url;
}

/** Returns `kcloud.invalid/iac` for the npm package `@kcloud/iac`. */
const neutralPath = (name: string): string => name.replace(/^@([^/]+)/, "$1.invalid");

/** Returns the address from which Pulumi downloads the plugin: the assets of a release. */
const downloadUrl = ({ protocol, host, pathname }: URL): string =>
  host === "github.com"
    ? `github://api.github.com${pathname}`
    : `${protocol}//${host}${pathname}/releases/download/v$\{VERSION}`;
