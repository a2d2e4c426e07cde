import { render } from 'preact';
import { App } from './app';
import { obeyDisabled } from './parts/roles';
import './style/theme.css';
import './style/base.css';
import './style/shell.css';

obeyDisabled();
render(<App />, document.getElementById('app')!);
