// Light or dark: as the system is, until somebody chooses.
import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';
const KEPT = 'sheaf.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const kept = localStorage.getItem(KEPT);
export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : system.matches ? 'dark' : 'light');

system.addEventListener('change', () => {
  if (localStorage.getItem(KEPT) === null) theme.value = system.matches ? 'dark' : 'light';
});
effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEPT, theme.value);
}
