/** Files with a mark `‸`, opened in a service that ends with the tests. */
import { afterAll } from "vitest";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const services: Service[] = [];
afterAll(() => services.forEach((service) => void service.dispose()));

/** The service, the marked file without its mark, and the offset of the mark. */
export function opened(marked: Readonly<Record<string, string>>, settings: Partial<CompileSettings> = { openclStandard: "CL2.0" }) {
  const [name = "", text = ""] = Object.entries(marked).find(([, content]) => content.includes("‸")) ?? [];
  const texts = new Map(Object.entries(marked).map(([file, content]) => [`file:///${file}`, content.replace("‸", "")]));
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => ({ ...noSettings, ...settings }) });
  services.push(service);
  return { service, uri: `file:///${name}`, text: text.replace("‸", ""), offset: text.indexOf("‸"), texts };
}
