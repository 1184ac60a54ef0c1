import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { findAnywhere } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { findReceipt } from './queries.ts'
import { type Fonts, writeReceiptPdf } from './receipt-pdf.ts'
import { describeReceipt } from './rules/describe-receipt.ts'
import { STYLE, writeReceiptHtml } from './rules/receipt-html.ts'
import { receiptUrl } from './rules/receipt-link.ts'
import { formatNumber } from './rules/series.ts'

export type ReceiptFormat = 'html' | 'pdf'

/** A receipt or credit note as a file. */
export interface ReceiptFile {
  name: string
  content_type: string
  content: string | Blob
  /** The hash of the style that the page may use. */
  style: string
}

const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

/** Returns a receipt as a file. The token is the only credential. Throws 404. */
export async function showReceipt(deps: Deps, token: string, format: ReceiptFormat): Promise<ReceiptFile> {
  const { receipt } = await requireReceipt(deps, token)
  const number = formatNumber(receipt)
  const text = describeReceipt({
    number,
    locale: receipt.locale,
    issued_at: receipt.issuedAt,
    content: receipt.content,
    url: receiptUrl(deps.env.PUBLIC_URL, token),
  })
  const file = { name: `${number}.${format}`, style: STYLE_HASH }
  if (format === 'html') {
    return { ...file, content_type: 'text/html; charset=utf-8', content: writeReceiptHtml(text) }
  }
  return {
    ...file,
    content_type: 'application/pdf',
    content: await writeReceiptPdf(text, await loadFonts(deps)),
  }
}

/**
 * Asks the reseller of a receipt for a URL of its invoice, which is valid for a short time. Throws 404 if there is none,
 * and 502 if the provider does not answer.
 */
export async function findInvoice(deps: Deps, token: string): Promise<string> {
  const { order } = await requireReceipt(deps, token)
  const provider = deps.payments.find(({ name }) => name === order.provider)
  const { providerReference: reference } = order
  if (provider === undefined || reference === null) throw new ApiError('invoice_not_found')
  const url = await provider.findInvoice(reference).catch((error) => {
    reportUnforeseen(error, { task: `find the invoice of ${order.id}` })
    throw new ApiError('payment_provider_unavailable')
  })
  if (url === null) throw new ApiError('invoice_not_found')
  return url
}

async function requireReceipt(deps: Deps, token: string) {
  const place = await findAnywhere(deps, ({ db }) => findReceipt(db, token))
  if (place === null) throw new ApiError('receipt_not_found')
  return place.found
}

const fonts = new WeakMap<Deps['env'], Promise<Fonts>>()

/** Loads the fonts of PDFs once in each isolate. */
function loadFonts({ env }: Deps): Promise<Fonts> {
  const loaded = fonts.get(env) ?? readFonts(env)
  fonts.set(env, loaded)
  loaded.catch(() => fonts.delete(env))
  return loaded
}

async function readFonts(env: Deps['env']): Promise<Fonts> {
  const read = async (name: string) => {
    const response = await env.ASSETS.fetch(new URL(`/fonts/${name}.ttf`, env.PUBLIC_URL))
    if (!response.ok) throw new Error(`the font ${name} is not among the static files`)
    return response.arrayBuffer()
  }
  const [regular, bold] = await Promise.all([read('DejaVuSans'), read('DejaVuSans-Bold')])
  return { regular, bold }
}
