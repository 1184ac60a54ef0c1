import { TextField } from '../design/field.tsx'
import { PasswordField } from '../design/password-field.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: { email: 'Email', password: 'Password', new_password: 'New password', hint: '8 to 256 characters.' },
  uk: {
    email: 'Електронна пошта',
    password: 'Пароль',
    new_password: 'Новий пароль',
    hint: 'Від 8 до 256 символів.',
  },
  ru: {
    email: 'Электронная почта',
    password: 'Пароль',
    new_password: 'Новый пароль',
    hint: 'От 8 до 256 символов.',
  },
})

interface FaultProps {
  fault: string | undefined
}

/** Email address that names an account, also for password managers. */
export function EmailField({ fault }: FaultProps) {
  return (
    <TextField
      label={texts().email}
      name="email"
      type="email"
      autocomplete="username"
      maxLength={254}
      required
      fault={fault}
    />
  )
}

/** Password of an existing account. */
export function KnownPasswordField({ fault }: FaultProps) {
  return (
    <PasswordField
      label={texts().password}
      name="password"
      autocomplete="current-password"
      maxLength={256}
      fault={fault}
    />
  )
}

/** A password that the user chooses: the first of an account, or one that replaces another. */
export function NewPasswordField({ fault, isFirst }: FaultProps & { isFirst?: boolean }) {
  const t = texts()
  return (
    <PasswordField
      label={isFirst ? t.password : t.new_password}
      hint={t.hint}
      name={isFirst ? 'password' : 'new_password'}
      autocomplete="new-password"
      minLength={8}
      maxLength={256}
      fault={fault}
    />
  )
}
