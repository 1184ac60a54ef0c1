import type { Locale } from '../../../shared/text/texts.ts'
import { formatCountry, formatDate, formatMoney } from '../../emails/rules/formats.ts'
import type { ReceiptContent } from './content.ts'
import { WORDS } from './words.ts'

/** A receipt or credit note as text, which is then set as HTML or PDF. */
export interface ReceiptText {
  locale: Locale
  title: string
  facts: readonly (readonly [label: string, value: string])[]
  parties: readonly { label: string; name: string; lines: readonly string[] }[]
  columns: readonly [item: string, amount: string]
  rows: readonly { name: string; detail: string | null; amount: string }[]
  /** The last one is the total. */
  totals: readonly (readonly [label: string, amount: string])[]
  notes: readonly string[]
  /** null if the seller sold without a reseller. */
  invoice: { label: string; url: string } | null
  pdf: { label: string; url: string }
}

interface Issued {
  number: string
  locale: Locale
  issued_at: number
  content: ReceiptContent
  /** The URL of the receipt. */
  url: string
}

/** Writes a receipt in its language. No text in it has control characters. */
export function describeReceipt({ number, locale, issued_at, content, url }: Issued): ReceiptText {
  const words = WORDS[locale]
  const { receipt_number, further_to, reference, reseller } = content
  return {
    locale,
    title: `${receipt_number === null ? words.receipt : words.credit_note} ${number}`,
    facts: [
      [words.date, formatDate(issued_at, locale)],
      ...(receipt_number === null ? [] : [[words.receipt, receipt_number] as const]),
      [words.order, content.order_id],
      ...(reference === null ? [] : [[words.payment, clean(reference)] as const]),
    ],
    parties: listParties(content, locale),
    columns: [words.item, words.amount],
    rows: listRows(content, locale),
    totals: listTotals(content, locale),
    notes: [
      ...(further_to === null ? [] : [words.further(further_to)]),
      ...(content.charged === null ? [words.no_tax] : []),
      ...(reseller === null ? [] : [words.resold(reseller)]),
    ],
    invoice: reseller === null ? null : { label: words.invoice, url: `${url}/invoice` },
    pdf: { label: words.pdf, url: `${url}?format=pdf` },
  }
}

function listParties({ seller, reseller, buyer }: ReceiptContent, locale: Locale): ReceiptText['parties'] {
  const words = WORDS[locale]
  const own = { name: clean(seller.name), lines: describeParty(seller, locale) }
  const sellers =
    reseller === null
      ? [{ label: words.seller, ...own }]
      : [
          { label: words.seller, name: reseller, lines: [] },
          { label: words.supplier, ...own },
        ]
  const [name = '', ...lines] = [clean(buyer.name ?? ''), ...describeParty(buyer, locale)].filter(Boolean)
  return [...sellers, { label: words.buyer, name, lines }]
}

/** A buyer or seller without the name. */
interface Party {
  address: string | null
  postal_code?: string | null
  city?: string | null
  country: string | null
  vat_id: string | null
  email: string | null
}

function describeParty(party: Party, locale: Locale): string[] {
  const { address, postal_code, city, country, vat_id, email } = party
  return [
    ...(address ?? '').split('\n'),
    [postal_code, city].filter(Boolean).join(' '),
    country === null ? '' : formatCountry(country, locale),
    vat_id === null ? '' : `${WORDS[locale].vat_id}: ${vat_id}`,
    email ?? '',
  ]
    .map(clean)
    .filter(Boolean)
}

function listRows(content: ReceiptContent, locale: Locale): ReceiptText['rows'] {
  const { lines, amount_cents, currency, order_id, receipt_number } = content
  const words = WORDS[locale]
  const money = (cents: number) => formatMoney(cents, currency, locale)
  const count = (value: number) => new Intl.NumberFormat(locale).format(value)
  const describeCredits = (credits: number, months: number | null) =>
    months === null ? words.pack(count(credits)) : words.plan(count(months), count(credits))
  if (receipt_number !== null) {
    return [{ name: words.refund(order_id), detail: null, amount: money(amount_cents) }]
  }
  const rows = lines.map(({ name, credits, months, amount_cents }) => ({
    name: clean(name),
    detail: credits === 0 ? null : describeCredits(credits, months),
    amount: money(amount_cents),
  }))
  const unpaid = lines.reduce((sum, line) => sum + line.amount_cents, 0) - amount_cents
  return unpaid === 0 ? rows : [...rows, { name: words.unpaid, detail: null, amount: money(-unpaid) }]
}

function listTotals(content: ReceiptContent, locale: Locale): ReceiptText['totals'] {
  const { charged, amount_cents, currency, receipt_number } = content
  const words = WORDS[locale]
  const total = receipt_number === null ? words.total : words.total_refunded
  if (charged === null) return [[total, formatMoney(amount_cents, currency, locale)]]
  const money = (cents: number) => formatMoney(cents, charged.currency, locale)
  return [
    [words.before_tax, money(charged.total_cents - charged.tax_cents)],
    [words.tax, money(charged.tax_cents)],
    [total, money(charged.total_cents)],
  ]
}

/** Replaces control characters, and those that change the direction of the text around them. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
