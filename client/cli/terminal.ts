import type { WriteStream } from 'node:tty'

const BAR_WIDTH = 24
const NAME_WIDTH = 28
const REDRAW_MS = 80

/** Progress of one task, shown as one line. */
export interface Row {
  name: string
  state: string
  fraction: number
}

/**
 * Shows progress at the bottom of a terminal, and prints lines above it. Shows no progress if the output is not a
 * terminal.
 */
export class Screen {
  private readonly stream: NodeJS.WriteStream
  private readonly rows = new Map<string, Row>()
  private drawn = 0
  private drawn_at = 0
  readonly isInteractive: boolean

  constructor(stream: NodeJS.WriteStream, isQuiet: boolean) {
    this.stream = stream
    this.isInteractive = stream.isTTY === true && process.env.TERM !== 'dumb' && !isQuiet
  }

  /** Adds or updates a row. */
  set(key: string, row: Row): void {
    const isNew = this.rows.get(key)?.state !== row.state
    this.rows.set(key, row)
    if (isNew || Date.now() - this.drawn_at >= REDRAW_MS) this.draw()
  }

  remove(key: string): void {
    this.rows.delete(key)
    this.draw()
  }

  /** Writes a line above the rows. @param write writes the line to a different stream */
  line(text: string, write: (line: string) => void = (line) => this.stream.write(line)): void {
    this.erase()
    write(`${text}\n`)
    this.draw()
  }

  close(): void {
    this.rows.clear()
    this.erase()
  }

  private draw(): void {
    if (!this.isInteractive) return
    this.erase()
    const columns = (this.stream as WriteStream).columns ?? 80
    const lines = [...this.rows.values()].map((row) => formatRow(row, columns))
    this.stream.write(lines.map((line) => `${line}\n`).join(''))
    this.drawn = lines.length
    this.drawn_at = Date.now()
  }

  private erase(): void {
    if (!this.isInteractive || this.drawn === 0) return
    // The terminal may have echoed a key, so the cursor is not always in the first column.
    this.stream.write(`\r\u001b[${this.drawn}A\u001b[0J`)
    this.drawn = 0
  }
}

/** Formats a row to fit the width of the terminal. */
export function formatRow({ name, state, fraction }: Row, columns: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_WIDTH)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
  const percent = `${Math.round(fraction * 100)}%`.padStart(4)
  return `${shorten(name, NAME_WIDTH).padEnd(NAME_WIDTH)} ${bar} ${percent} ${state}`.slice(0, columns - 1)
}

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`
}

/** Formats a size: 1_500_000 is "1.5 MB". */
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`
}

/** Formats rows as columns. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
    })
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
