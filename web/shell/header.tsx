import { CircleUser, Menu, X } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { isSignedIn } from '../api/session.ts'
import { IconButton, LinkButton } from '../design/button.tsx'
import { classes } from '../design/classes.ts'
import { defineTexts } from '../text/define-texts.ts'
import styles from './header.module.css'
import { withNext } from './next-path.ts'

const texts = defineTexts({
  en: {
    skip: 'Skip to the content',
    main: 'Main',
    studio: 'Studio',
    jobs: 'Jobs',
    templates: 'Templates',
    links: 'Upload links',
    docs: 'Docs',
    account: 'Account',
    sign_in: 'Sign in',
    menu: 'Menu',
  },
  uk: {
    skip: 'Перейти до вмісту',
    main: 'Головне меню',
    studio: 'Студія',
    jobs: 'Завдання',
    templates: 'Шаблони',
    links: 'Посилання для завантаження',
    docs: 'Документація',
    account: 'Обліковий запис',
    sign_in: 'Увійти',
    menu: 'Меню',
  },
  ru: {
    skip: 'Перейти к содержимому',
    main: 'Главное меню',
    studio: 'Студия',
    jobs: 'Задания',
    templates: 'Шаблоны',
    links: 'Ссылки для загрузки',
    docs: 'Документация',
    account: 'Аккаунт',
    sign_in: 'Войти',
    menu: 'Меню',
  },
})

/** Navigation at the top of every page. On phones it opens by a button. */
export function Header() {
  const t = texts()
  const { path, url } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const toggle = useRef<HTMLSpanElement>(null)
  useEffect(() => setOpen(false), [path])
  useEffect(() => {
    if (!isOpen) return
    const closeByEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      toggle.current?.querySelector('button')?.focus()
    }
    document.addEventListener('keydown', closeByEscape)
    return () => document.removeEventListener('keydown', closeByEscape)
  }, [isOpen])
  const links: [string, string][] = [
    ['/studio', t.studio],
    ...(isSignedIn.value
      ? ([
          ['/jobs', t.jobs],
          ['/templates', t.templates],
          ['/upload-links', t.links],
        ] as [string, string][])
      : []),
    ['/docs', t.docs],
  ]
  return (
    <header class={styles.bar}>
      <button type="button" class={classes('visually-hidden', styles.skip)} onClick={skipToContent}>
        {t.skip}
      </button>
      <div class={styles.inner}>
        <a class={styles.brand} href="/">
          <img src="/icon.svg" alt="" width={28} height={28} />
          Media Credits
        </a>
        <nav id="navigation" class={classes(styles.links, isOpen && styles.open)} aria-label={t.main}>
          {links.map(([href, label]) => (
            <a key={href} href={href} aria-current={path.startsWith(href) ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        {isSignedIn.value ? (
          <LinkButton href="/account" aria-label={t.account}>
            <CircleUser size={20} aria-hidden />
            <span class={styles['wide-only']}>{t.account}</span>
          </LinkButton>
        ) : (
          <LinkButton href={withNext('/sign-in', url)}>{t.sign_in}</LinkButton>
        )}
        <span ref={toggle} class={styles.toggle}>
          <IconButton
            label={t.menu}
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
          </IconButton>
        </span>
      </div>
    </header>
  )
}

/** Does what a link to #content does, but keeps the fragment of the address, which can be the secret of a link. */
function skipToContent(): void {
  const content = document.getElementById('content')
  content?.focus()
  content?.scrollIntoView()
}
