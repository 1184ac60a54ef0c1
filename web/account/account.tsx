import { LogOut } from 'lucide-preact'
import { useRoute } from 'preact-iso'
import { useAccount } from '../api/account.ts'
import { Button } from '../design/button.tsx'
import { RetryNotice } from '../design/retry-notice.tsx'
import NotFound from '../shell/not-found.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import styles from './account.module.css'
import { listSections } from './sections.ts'
import { SignedIn } from './signed-in.tsx'
import { useSignOut } from './use-sign-out.ts'

const texts = defineTexts({
  en: { title: 'Account', sections: 'Sections of the account', sign_out: 'Sign out' },
  uk: { title: 'Обліковий запис', sections: 'Розділи облікового запису', sign_out: 'Вийти' },
  ru: { title: 'Аккаунт', sections: 'Разделы аккаунта', sign_out: 'Выйти' },
})

export default function AccountPage() {
  return (
    <SignedIn>
      <Sections />
    </SignedIn>
  )
}

/** The list of sections, and the one that the address names. */
function Sections() {
  const t = texts()
  const { section: slug = '' } = useRoute().params
  const account = useAccount()
  const signOut = useSignOut()
  const sections = listSections()
  const current = sections.find((section) => section.slug === slug)
  if (current === undefined) return <NotFound />
  const Section = current.component
  return (
    <Page
      title={current.slug === '' ? t.title : current.title}
      heading={t.title}
      lead={account.data?.email ?? '…'}
      actions={
        <Button isBusy={signOut.isPending} onClick={() => signOut.mutate('here')}>
          <LogOut size={18} aria-hidden />
          {t.sign_out}
        </Button>
      }
    >
      <div class={styles.columns}>
        <nav class={styles.sections} aria-label={t.sections}>
          {sections.map((section) => (
            <a
              key={section.slug}
              href={section.slug === '' ? '/account' : `/account/${section.slug}`}
              aria-current={section === current ? 'page' : undefined}
            >
              {section.title}
            </a>
          ))}
        </nav>
        <div class={styles.content}>
          {account.error && <RetryNotice error={account.error} onRetry={() => void account.refetch()} />}
          <Section />
        </div>
      </div>
    </Page>
  )
}
