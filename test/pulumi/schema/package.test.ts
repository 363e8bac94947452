import { expect, test } from "@jest/globals";
import manifest from "../../../package.json" with { type: "json" };
import { packageFacts } from "../../../provider/pulumi/schema/package.ts";

const owned = {
  ...manifest,
  homepage: "https://docs.cloud.test/iac",
  repository: { url: "git+https://github.com/owner/iac.git" },
  logo: "https://docs.cloud.test/logo.svg",
};

test("the addresses of an owner become those of the package, and its Go and Java packages", () => {
  const { language, ...facts } = packageFacts("1.2.3", owned);
  const { displayName, author, keywords, license, description } = manifest;
  expect(facts).toEqual({
    displayName,
    description,
    publisher: author,
    keywords,
    license,
    homepage: "https://docs.cloud.test/iac",
    repository: "https://github.com/owner/iac",
    pluginDownloadURL: "github://api.github.com/owner/iac",
    logoUrl: "https://docs.cloud.test/logo.svg",
  });
  expect(language.go).toMatchObject({
    modulePath: "github.com/owner/iac/sdk/go",
    importBasePath: "github.com/owner/iac/sdk/go/kcloud",
  });
  expect(language.java).toMatchObject({ basePackage: "test.cloud.docs" });
  expect(language.nodejs.packageName).toBe("@kcloud/iac");
  expect(language.python).toMatchObject({ packageName: "pulumi_kcloud", pyproject: { enabled: true } });
});

test("a repository elsewhere has its releases below its own address, and a second major version a Go path of its own", () => {
  const repository = { url: "https://git.cloud.test/iac.git" };
  const { pluginDownloadURL, language } = packageFacts("2.0.0", { ...owned, repository });
  expect(pluginDownloadURL).toBe("https://git.cloud.test/iac/releases/download/v$" + "{VERSION}");
  expect(language.go.importBasePath).toBe("git.cloud.test/iac/sdk/go/v2/kcloud");
});

test("addresses below .example are left out, and the Go module has a path that no network serves", () => {
  const { logo: _, ...withoutLogo } = owned;
  const { language, ...facts } = packageFacts("1.2.3", {
    ...withoutLogo,
    homepage: "https://cloud.example/iac",
    repository: { url: "https://cloud.example/iac.git" },
  });
  for (const name of ["homepage", "repository", "pluginDownloadURL", "logoUrl"])
    expect(facts).not.toHaveProperty(name);
  expect(language.java).toEqual({ buildFiles: "gradle" });
  expect(language.go.importBasePath).toBe("kcloud.invalid/iac/sdk/go/kcloud");
});
