import { render } from 'preact';
import { App } from './app';
import './style/theme.css';
import './style/base.css';
import './style/shell.css';

render(<App />, document.getElementById('app')!);
