/** What a spreadsheet takes for the beginning of a formula, or skips before it looks for one. */
const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

export type Cell = string | number | boolean | null | undefined

/** RFC 4180: rows end with CRLF, a cell with a comma, quote or line break is quoted. */
export function writeCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')
}

/** A text that a spreadsheet would run gets an apostrophe before it; numbers are written as they are. */
function writeCell(cell: Cell): string {
  const shown = typeof cell === 'string' && STARTS_FORMULA.test(cell) ? `'${cell}` : String(cell ?? '')
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}
