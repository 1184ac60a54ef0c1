import type { ReceiptText } from './rules/describe-receipt.ts'

export interface Fonts {
  regular: ArrayBuffer
  bold: ArrayBuffer
}

type Document = PDFKit.PDFDocument
type Cell = PDFKit.Mixins.CellOptions

const MARGIN = 56
const LABELS_WIDTH = 130
const AMOUNTS_WIDTH = 140
const NO_BORDER = { border: 0, padding: { left: 0, right: 8, top: 1, bottom: 1 } }
const QUIET = { textColor: '#52525b' }
const BOLD = { font: { src: 'bold' } }

/** Sets a receipt as a PDF on A4. It contains the part of the fonts that it uses. */
export async function writeReceiptPdf(receipt: ReceiptText, fonts: Fonts): Promise<Blob> {
  // Loaded with the first PDF, so that the Worker starts without it.
  const { default: PdfDocument } = await import('pdfkit')
  const { title, locale } = receipt
  const options = { size: 'A4', margin: MARGIN, lang: locale, displayTitle: true, info: { Title: title } }
  const document = new PdfDocument({ ...options, font: fonts.regular as never })
  document.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  const pdf = collect(document)
  draw(document, receipt)
  document.end()
  return pdf
}

function draw(document: Document, receipt: ReceiptText): void {
  const { title, facts, parties, columns, rows, totals, notes, invoice } = receipt
  document.font('bold').fontSize(20).text(title).moveDown(0.5)
  document.font('regular').fontSize(10)
  drawTable(
    document,
    [LABELS_WIDTH, '*'],
    facts.map(([label, value]) => [{ ...QUIET, text: label }, value]),
    NO_BORDER,
  )
  drawTable(
    document,
    parties.map(() => '*'),
    [
      parties.map(({ label }) => ({ ...QUIET, text: label })),
      parties.map(({ name }) => ({ ...BOLD, text: name })),
      parties.map(({ lines }) => lines.join('\n')),
    ],
    NO_BORDER,
  )
  const [item, amount] = columns
  drawTable(
    document,
    ['*', AMOUNTS_WIDTH],
    [
      [
        { ...QUIET, text: item },
        { ...QUIET, text: amount, align: { x: 'right' } },
      ],
      ...rows.map((row) => [
        row.detail === null ? row.name : `${row.name}\n${row.detail}`,
        { text: row.amount, align: { x: 'right' } as const },
      ]),
      ...totals.map(([label, sum], index) => {
        const style = index === totals.length - 1 ? BOLD : {}
        return [
          { ...style, text: label },
          { ...style, text: sum, align: { x: 'right' } as const },
        ]
      }),
    ],
    {
      border: { top: 0.5, bottom: 0, left: 0, right: 0 },
      borderColor: '#d4d4d8',
      padding: { left: 0, right: 0, top: 6, bottom: 6 },
    },
  )
  for (const note of notes) document.text(note).moveDown(0.5)
  if (invoice !== null) document.text(invoice.label, { link: invoice.url, underline: true })
}

function drawTable(
  document: Document,
  columnStyles: (number | string)[],
  data: (string | Cell)[][],
  defaultStyle: PDFKit.Mixins.CellStyle,
): void {
  document.table({ columnStyles, data, defaultStyle })
  document.x = MARGIN
  document.moveDown()
}

function collect(document: Document): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  document.on('data', (chunk: Uint8Array<ArrayBuffer>) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    document.on('error', reject)
    document.on('end', () => resolve(new Blob(chunks, { type: 'application/pdf' })))
  })
}
