// A component that is drawn again only if one of its parts is another than before.
import { Component, type ComponentClass, type FunctionComponent, h } from 'preact';

export function unlessChanged<Parts extends object>(drawn: FunctionComponent<Parts>): ComponentClass<Parts> {
  return class extends Component<Parts> {
    override shouldComponentUpdate(next: Readonly<Parts>): boolean {
      const before: Readonly<Parts> = this.props;
      return (Object.keys(next) as (keyof Parts)[]).some((name) => next[name] !== before[name]);
    }
    override render() {
      return h(drawn, this.props);
    }
  };
}
