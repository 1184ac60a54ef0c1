/** Formats a waiting time in words, rounded up to a readable number. */
export function waitInWords(seconds: number): string {
  if (seconds <= 90) return counted(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
