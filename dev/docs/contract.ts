import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../system/root.ts'

/** Parses the pages of docs/contract/ (headings and endpoints) and the citations of those pages in the code. */

const FOLDER = join(ROOT, 'docs/contract')

/** Reads the text of each page, keyed by file name. */
export function readContract(): Map<string, string> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))
  return new Map(names.toSorted().map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]))
}

export interface Heading {
  /** For example, "Purchase rule 5" from "Purchase rule 5: packs as add-ons". */
  name: string
  /** Parent headings, starting with the page title. */
  above: readonly string[]
}

/** Lists a page's headings in order. */
export function listHeadings(page: string): Heading[] {
  const open: string[] = []
  return [...page.matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', text = '']) => {
    const [name = ''] = text.split(':')
    open.length = marks.length - 1
    const above = [...open]
    open.push(name)
    return { name, above }
  })
}

export interface Citation {
  /** For example, `edge/jobs/submit.ts:22`. */
  place: string
  /** A heading, or a parent heading and the heading, separated by a comma. */
  cited: string
}

/** Finds the citations in a file, such as "Contract: Jobs, Submit; Errors." A citation can span several lines. */
export function listCitations(file: string, text: string): Citation[] {
  return [...text.matchAll(/\bContract:\s([^.)'"`]*)/g)].flatMap(({ 1: list = '', index }) => {
    const place = `${file}:${text.slice(0, index).split('\n').length}`
    const line = list.replace(/\s*\n\s*(\*|\/\/)\s*/g, ' ')
    return line.split(';').map((cited) => ({ place, cited: cited.trim() }))
  })
}

/** Finds the numbered rules that a file cites, such as "Purchase rule 9" or "Price rule 2". */
export function listRules(file: string, text: string): Citation[] {
  return [...text.matchAll(/\b(purchase|price) rule (\d+)/gi)].map(({ 1: kind = '', 2: number, index }) => {
    const cited = `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()} rule ${number}`
    return { place: `${file}:${text.slice(0, index).split('\n').length}`, cited }
  })
}

export interface ContractEndpoint {
  /** For example, `POST /api/v1/jobs/{job_id}/cancel`. */
  name: string
  access: string
  success_status: number
}

/** Lists the endpoints defined in a page's tables. */
export function listEndpointRows(page: string): ContractEndpoint[] {
  const rows = page.matchAll(/^\| `([A-Z]+ \/[^`]+)` +\| (\w+) +\| (\d{3}) +\|/gm)
  return [...rows].map(([, name = '', access = '', status]) => ({
    name,
    access,
    success_status: Number(status),
  }))
}

/** Counts the headings that match a citation. A valid citation matches exactly one. */
export function countMatches(headings: readonly Heading[], cited: string): number {
  const [name, above, ...more] = cited
    .split(',')
    .map((part) => part.trim())
    .toReversed()
  if (more.length > 0) return 0
  return headings.filter((heading) => heading.name === name && (!above || heading.above.includes(above)))
    .length
}

/** Reads all TypeScript files tracked by git. */
export function readSources(): [file: string, text: string][] {
  const { stdout } = spawnSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' })
  const files = stdout.split('\n').filter((file) => file !== '' && existsSync(join(ROOT, file)))
  return files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')])
}
