import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsFrom } from '../../edge/settings/rules/settings.ts'
import { ROOT } from '../system/root.ts'
import type { SitePage } from './page.ts'
import { fence } from './snippets.ts'

export const SITE_SOURCES = join(ROOT, 'docs/site')

/** Reads a guide written by hand. A figure such as `{{in_flight_max_free}}` is the default of that setting. */
export function readGuide(path: string): SitePage {
  const text = readFileSync(join(SITE_SOURCES, 'guides', `${path.replace('guides/', '')}.md`), 'utf8')
  const [, title = '', description = '', body = ''] = /^# (.+)\n\n> (.+)\n\n([\s\S]+)$/.exec(text) ?? []
  if (body === '') throw new Error(`The guide ${path} must start with a title and a description.`)
  return { path, title, description, body: fillValues(fillExamples(body), path) }
}

/** Replaces `{{example NAME}}` with the program of that name, so that the site shows what the tests run. */
function fillExamples(text: string): string {
  return text.replace(/^\{\{example ([\w.-]+)\}\}$/gm, (_, name: string) =>
    fence('ts', name, readExample(name)),
  )
}

/** Reads an example. Inside the repository, examples import the client by its path. */
function readExample(name: string): string {
  const text = readFileSync(join(ROOT, 'examples', name), 'utf8')
  return text.replace('../client/node/index.ts', '@media-credits/client')
}

/** The default settings, by name. */
const VALUES: Record<string, unknown> = settingsFrom({})

/** Replaces the placeholders of a guide. */
export function fillValues(text: string, path: string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = VALUES[name]
    if (value === undefined) throw new Error(`The guide ${path} uses the unknown value ${name}.`)
    return String(value)
  })
}
