import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { lazy } from 'preact-iso'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { isOnline } from './offline.tsx'

const texts = defineTexts({
  en: {
    missing: 'This page could not be loaded. Check your connection. Your files and jobs are safe.',
    offline: 'This page is not loaded yet, and you are offline. It opens when the connection is back.',
    reload: 'Reload',
  },
  uk: {
    missing: 'Не вдалося завантажити цю сторінку. Перевірте з’єднання. Ваші файли й завдання збережено.',
    offline: 'Цю сторінку ще не завантажено, а з’єднання немає. Вона відкриється, коли воно відновиться.',
    reload: 'Оновити',
  },
  ru: {
    missing: 'Не удалось загрузить эту страницу. Проверьте соединение. Ваши файлы и задания сохранены.',
    offline: 'Эта страница еще не загружена, а соединения нет. Она откроется, когда оно восстановится.',
    reload: 'Обновить',
  },
})

type Load<Component> = () => Promise<{ default: Component }>
/** A component whose script can be loaded before it is shown. */
type Lazy<Component> = Component & { preload: () => Promise<unknown> }

/** A page whose script loads when it is opened. If it does not load, it says so: the page before it would stay. */
export function lazyPage<Page>(load: Load<Page>): Lazy<Page> {
  return lazyOr(load, MissingPage)
}

/** A part of a page, like lazyPage. */
export function lazyPart<Part>(load: Load<Part>): Lazy<Part> {
  return lazyOr(load, MissingPart)
}

function lazyOr<Component>(load: Load<Component>, Missing: FunctionComponent): Lazy<Component> {
  return lazy(() => load().catch(() => ({ default: Missing as Component }))) as Lazy<Component>
}

function MissingPage() {
  return (
    <main id="content" tabIndex={-1}>
      <MissingPart />
    </main>
  )
}

function MissingPart() {
  const t = texts()
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <Notice kind="bad" action={<Button onClick={() => location.reload()}>{t.reload}</Button>}>
      {isOnline.value ? t.missing : t.offline}
    </Notice>
  )
}
