/** What spreadsheets skip, or import as no text, at the start of a cell. */
const STARTS_BLANK = /^[\t\r\n]/

/**
 * The start of a formula, in the cell or in one that a spreadsheet of another locale splits off it: where the comma
 * is the decimal sign it splits at semicolons, and then knows no quotes in the middle of a line either.
 */
const STARTS_FORMULA = /(^|[;|\t\r\n]["'\s]*)([=+\-@＝＋－＠])/g

export type Cell = string | number | boolean | null | undefined

/** RFC 4180: rows end with CRLF, a cell with a comma, quote or line break is quoted. */
export function writeCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')
}

/** A text that a spreadsheet would run gets an apostrophe before it; numbers are written as they are. */
function writeCell(cell: Cell): string {
  const shown = typeof cell === 'string' ? defuse(cell) : String(cell ?? '')
  return /[",;\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

function defuse(text: string): string {
  const defused = text.replace(STARTS_FORMULA, "$1'$2")
  return STARTS_BLANK.test(defused) ? `'${defused}` : defused
}
