import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { XmlDocument, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";

let validator: XsdValidator | undefined;

/** Throws the violations of the KML 2.2 schema in the document. */
export function validateKml(text: string) {
  validator ??= loadSchema();
  using document = XmlDocument.fromString(text);
  validator.validate(document);
}

function loadSchema() {
  xmlRegisterFsInputProviders();
  const path = "test/fixtures/kml-xsd/ogckml22.xsd";
  // One of the schemas it imports is named by its address on the Internet; ours lies beside it.
  const schema = readFileSync(path, "utf8").replace(/schemaLocation="http[^"]*\/xAL\.xsd"/, 'schemaLocation="xAL.xsd"');
  using document = XmlDocument.fromString(schema, { url: pathToFileURL(path).href });
  return XsdValidator.fromDoc(document);
}
