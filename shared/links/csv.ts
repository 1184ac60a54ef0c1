/** Characters at the start of a cell that spreadsheets skip or import as non-text. */
const STARTS_BLANK = /^[\t\r\n]/

/**
 * Matches the start of a formula, either in the cell or in a part that a spreadsheet in another locale splits off.
 * With a decimal comma, it splits at semicolons and ignores quotes in the middle of a line.
 */
const STARTS_FORMULA = /(^|[;|\t\r\n]["'\s]*)([=+\-@＝＋－＠])/g

export type Cell = string | number | boolean | null | undefined

/** Writes RFC 4180 CSV: rows end with CRLF; cells with a comma, quote or line break are quoted. */
export function writeCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')
}

/** Writes one cell. Adds an apostrophe before text that a spreadsheet would evaluate; numbers are unchanged. */
function writeCell(cell: Cell): string {
  const shown = typeof cell === 'string' ? defuse(cell) : String(cell ?? '')
  return /[",;\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

function defuse(text: string): string {
  const defused = text.replace(STARTS_FORMULA, "$1'$2")
  return STARTS_BLANK.test(defused) ? `'${defused}` : defused
}
