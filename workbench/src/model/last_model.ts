// The model that was opened last, on whichever page: others begin with it.
const KEPT = 'sheaf.model';
export const rememberModel = (name: string): void => sessionStorage.setItem(KEPT, name);
export const lastModel = (): string | null => sessionStorage.getItem(KEPT);
