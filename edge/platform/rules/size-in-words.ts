const [MEGABYTE, GIGABYTE] = [1024 ** 2, 1024 ** 3]

/** Formats a size, such as "20 MB". */
export function sizeInWords(bytes: number): string {
  const [unit, name] =
    bytes >= GIGABYTE ? [GIGABYTE, 'GB'] : bytes >= MEGABYTE ? [MEGABYTE, 'MB'] : [1024, 'KB']
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round((bytes / unit) * 10) / 10} ${name}`
}
