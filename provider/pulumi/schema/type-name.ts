import { capital } from "../../core/name.ts";

/** Names of the types and enumerations of the package. A release may not change them: programs contain them. */

/** Returns the automatic name of a property's type: `VolumeQos`; a word that ends the owner and begins the property is not repeated. */
export const nestedName = (owner: string, property: string): string =>
  `${owner}${capital(property)}`.replace(/([A-Z][a-z0-9]+)\1(?=[A-Z])/, "$1");

/** Returns the name of the type of the elements of a list: `PortFixedIp` for `PortFixedIps`. */
export const elementName = (list: string): string =>
  list
    .replace(/ies$/, "y")
    .replace(/(ch|sh|ss|x)es$/, "$1")
    .replace(/([^s])s$/, "$1");

/** Names in place of automatic ones, most of which several properties share. */
const chosenNames: readonly (readonly [RegExp, string])[] = [
  [/^Provider(?=.)/, ""],
  [/^.*VolumeType$/, "VolumeType"],
  [/^.*VolumeSourceType$/, "VolumeSourceType"],
  [/^.*PowerState$/, "PowerState"],
  [/^.*IpVersion$/, "IpVersion"],
  [/^Document[A-Z]\w+(FileType|Language)$/, "Document$1"],
  [/^Text(Summary|Sentiment)(InputLanguage|LangFrom)$/, "TextInputLanguage"],
  [/^TextTranslation(Src|Tgt)Language$/, "TextTranslationLanguage"],
  [/^TextEntitiesLangFrom$/, "TextEntitiesLanguage"],
  [/^TextEntitiesParamList$/, "TextEntityKind"],
  [/^TextLanguageLanguage$/, "DetectedLanguage"],
  [/^TextSentimentSentiment$/, "DetectedSentiment"],
  [/^TextEntitiesEntity(Data)?$/, "DetectedEntity$1"],
  [/^GetInstanceTypesType$/, "InstanceTypeKind"],
  [/^ParseIdFunctionResult$/, "ParsedId"],
];

/** Returns the name of a type by its automatic name. */
export const typeName = (automatic: string): string =>
  chosenNames.reduce((name, [pattern, chosen]) => name.replace(pattern, chosen), automatic);

/** Returns the name of a value of an enumeration: `HolderFirst` for `holder-first`, `V4` for 4. */
export const memberName = (value: string | number | boolean): string =>
  typeof value === "string"
    ? value
        .replace(/(\d)[^A-Za-z0-9]+(?=\d)/g, "$1_")
        .split(/[^A-Za-z0-9_]|_(?=[A-Za-z])/)
        .map(capital)
        .join("")
    : `V${value}`;
