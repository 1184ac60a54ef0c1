import { expect, test } from 'vitest'
import { BATCH_STATES } from '../../edge/batches/rules/states.ts'
import { ENTRY_TYPES } from '../../edge/credits/rules/ledger.ts'
import { JOB_STATES } from '../../edge/jobs/rules/states.ts'
import { BADGES } from '../../edge/offers/rules/prices.ts'
import { ORDER_STATES } from '../../edge/orders/rules/states.ts'
import { REFUND_BLOCKS, REFUND_REASONS, REFUND_STATES } from '../../edge/refunds/rules/refunds.ts'
import { Settings } from '../../edge/settings/rules/settings.ts'
import { RENEWAL_STATES } from '../../edge/subscriptions/rules/states.ts'
import { UPLOAD_SESSION_STATES } from '../../edge/upload-links/rules/sessions.ts'
import { DEVICE_KEYS } from '../../shared/devices/devices.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { ERROR_CODES } from '../../shared/protocol/job-report.ts'
import { readContract } from './contract.ts'

const pages = readContract()

/** Returns the text under a heading, up to the next heading. */
function sectionOf(file: string, title: string): string {
  const page = pages.get(file) ?? ''
  const parts = page.split(/^#+ /m).filter((part) => part.startsWith(`${title}\n`))
  expect(parts, `${file}: ${title}`).toHaveLength(1)
  return parts[0] ?? ''
}

/** Parses the table rows in a text into cells and skips the header rows. */
function rowsOf(text: string): string[][] {
  const rows = [...text.matchAll(/^\| (`.*) \|$/gm)]
  return rows.map(([, cells = '']) => cells.split(' | ').map((cell) => cell.replaceAll('`', '').trim()))
}

test.each<[file: string, title: string, words: readonly string[]]>([
  ['jobs.md', 'Job states', JOB_STATES],
  ['jobs.md', 'Error codes of jobs', ERROR_CODES],
  ['batches.md', 'Batch states', BATCH_STATES],
  ['upload-links.md', 'Upload session states', UPLOAD_SESSION_STATES],
  ['credits.md', 'Ledger', ENTRY_TYPES],
  ['purchases.md', 'Order states', ORDER_STATES],
  ['purchases.md', 'Price rule 3: the badge', BADGES],
  ['subscriptions.md', 'Renewal states', RENEWAL_STATES],
  ['refunds.md', 'Refund quote', [...REFUND_BLOCKS, ...REFUND_REASONS]],
  ['refunds.md', 'Refund states', REFUND_STATES],
  ['operations-image.md', 'Devices', DEVICE_KEYS],
])('%s, %s: documents all values of the code', (file, title, words) => {
  const section = sectionOf(file, title)
  expect(words.filter((word) => !section.includes(`\`${word}\``))).toEqual([])
})

test.each([
  ['operations-video.md', 'video', false],
  ['operations-link.md', 'video', true],
  ['operations-image.md', 'image', false],
])('%s lists the operations of the catalog with their credits', (file, service, links) => {
  const rows = rowsOf(pages.get(file) ?? '').map(([key, figure]) => `${key} ${figure}`)
  const listed = OPERATIONS.filter(
    (operation) => operation.service === service && operation.accepts.includes('link') === links,
  )
  expect(rows.toSorted()).toEqual(listed.map(({ key, credits }) => `${key} ${credits}`).toSorted())
})

test('settings have the defaults of the contract', () => {
  const defaults: Record<string, unknown> = Settings.parse({})
  const rows = rowsOf(sectionOf('administration.md', 'Settings'))
  expect(rows.length).toBeGreaterThan(30)
  for (const [name = '', value] of rows) expect(String(defaults[name]), name).toBe(value)
})
