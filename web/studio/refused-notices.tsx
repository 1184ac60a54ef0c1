import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { refusedFiles } from './refused-files.ts'

const texts = defineTexts({
  en: {
    unknown: 'Not a video or an image:',
    empty: 'Empty, with no bytes at all:',
    advice: 'Check where the file came from.',
  },
  uk: {
    unknown: 'Це не відео й не зображення:',
    empty: 'Порожній файл, у ньому немає жодного байта:',
    advice: 'Перевірте, звідки він.',
  },
  ru: {
    unknown: 'Это не видео и не изображение:',
    empty: 'Пустой файл, в нем нет ни одного байта:',
    advice: 'Проверьте, откуда он.',
  },
})

/** Names the files that were added last and are no inputs. */
export function RefusedNotices() {
  const t = texts()
  const { unknown, empty } = refusedFiles.value
  return (
    <>
      {unknown.length > 0 && (
        <Notice kind="bad">
          {t.unknown} <Names names={unknown} />
        </Notice>
      )}
      {empty.length > 0 && (
        <Notice kind="bad" help={t.advice}>
          {t.empty} <Names names={empty} />
        </Notice>
      )}
    </>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <>
      {index > 0 && ', '}
      <bdi>{name}</bdi>
    </>
  ))
}
