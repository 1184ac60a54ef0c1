import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { catalogFile } from './client-generator/catalog.ts'
import { readDocument } from './client-generator/document.ts'
import { endpointsFile } from './client-generator/endpoints.ts'
import { operationsFile } from './client-generator/operations.ts'
import { typesFile } from './client-generator/types.ts'
import { ROOT } from './system/root.ts'

export const GENERATED_FOLDER = join(ROOT, 'client/generated')

/** Returns the text of each generated file of the client by its name. */
export async function generateClient(): Promise<Record<string, string>> {
  const document = readDocument()
  const endpoints = endpointsFile(document)
  const operations = operationsFile(document)
  const types = await typesFile(document, [...endpoints.schemas, ...operations.schemas])
  return {
    'types.ts': types,
    'endpoints.ts': endpoints.text,
    'operations.ts': operations.text,
    'catalog.ts': catalogFile(),
  }
}

/**
 * Writes the client's generated files: types, endpoints and operations from the OpenAPI document, and the catalog of
 * the command line. Leaves files that are current untouched, so incremental builds stay incremental.
 */
export async function writeClient(): Promise<void> {
  mkdirSync(GENERATED_FOLDER, { recursive: true })
  for (const [name, text] of Object.entries(await generateClient())) {
    const file = join(GENERATED_FOLDER, name)
    if (hash(existsSync(file) ? readFileSync(file) : '') !== hash(text)) writeFileSync(file, text)
  }
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeClient()
