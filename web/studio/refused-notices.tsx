import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { FileNames } from './file-names.tsx'
import { refusedFiles } from './refused-files.ts'

const texts = defineTexts({
  en: {
    unknown: 'Not a video or an image that the tools accept:',
    empty: 'Empty, with no bytes at all:',
    advice: 'Check where the file came from.',
  },
  uk: {
    unknown: 'Це не відео й не зображення, яке підтримують інструменти:',
    empty: 'Порожній файл, у ньому немає жодного байта:',
    advice: 'Перевірте, звідки він.',
  },
  ru: {
    unknown: 'Это не видео и не изображение, которое поддерживают инструменты:',
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
          {t.unknown} <FileNames names={unknown} />
        </Notice>
      )}
      {empty.length > 0 && (
        <Notice kind="bad" help={t.advice}>
          {t.empty} <FileNames names={empty} />
        </Notice>
      )}
    </>
  )
}
