/** Names of files in a sentence. */
export function FileNames({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <>
      {index > 0 && ', '}
      <bdi>{name}</bdi>
    </>
  ))
}
