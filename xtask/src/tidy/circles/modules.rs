//! Reads the modules of a crate: the items that each defines, its imports, and the paths in its code.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::path::Path;
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree};

/// A path as it is written: its names from left to right.
pub type Words = Vec<String>;

/// A crate without its tests.
pub struct Crate {
    /// The root is the first.
    pub modules: Vec<Module>,
}

/// One module; several may be in one file.
pub struct Module {
    pub parent: Option<usize>,
    pub name: String,
    pub file: String,
    pub children: Vec<usize>,
    /// The names of the items that are defined here.
    pub defined: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Every path in the code; the first name of one that is not an item of the crate is anything.
    pub paths: BTreeSet<Words>,
    /// True if there is anything but imports and declarations of modules.
    has_code: bool,
}

/// One name of a `use`.
pub struct Import {
    pub path: Words,
    /// The name that it has here, or `*`.
    pub name: String,
}

/// Returns the text of a file, or none if there is no such file.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Crate {
    /// Reads the crate whose root is this file; errors name a file that is missing or is not Rust.
    pub fn read(root: &str, read: Read<'_>) -> Result<Crate, String> {
        let mut whole = Crate { modules: Vec::new() };
        let text = read(root).ok_or_else(|| format!("{root}: not found"))?;
        let folder = parent(root);
        let items = parsed(root, &text)?;
        whole.add(None, "crate", Place { file: root.to_string(), folder }, items, read)?;
        Ok(whole)
    }

    /// Returns true if a file has nothing but imports, re-exports and declarations of modules.
    pub fn only_declares(&self, file: &str) -> bool {
        self.modules.iter().all(|module| module.file != file || !module.has_code)
    }

    fn add(
        &mut self,
        parent: Option<usize>,
        name: &str,
        place: Place,
        items: Vec<Item>,
        read: Read<'_>,
    ) -> Result<(), String> {
        let index = self.modules.len();
        self.modules.push(Module {
            parent,
            name: name.to_string(),
            file: place.file.clone(),
            children: Vec::new(),
            defined: BTreeSet::new(),
            imports: Vec::new(),
            paths: BTreeSet::new(),
            has_code: false,
        });
        if let Some(parent) = parent {
            self.modules[parent].children.push(index);
        }
        for item in items {
            let (attributes, defined) = head(&item);
            if attributes.iter().any(is_of_tests) {
                continue;
            }
            let module = &mut self.modules[index];
            match item {
                Item::Use(import) => module.add_import(&import),
                Item::Mod(child) => self.add_child(index, &place, child, read)?,
                item => {
                    module.has_code = true;
                    module.defined.extend(defined);
                    if let Item::Macro(call) = &item {
                        module.defined.extend(defined_in(call.mac.tokens.clone()));
                    }
                    module.scan(item.into_token_stream());
                }
            }
        }
        Ok(())
    }

    fn add_child(
        &mut self,
        parent: usize,
        place: &Place,
        child: ItemMod,
        read: Read<'_>,
    ) -> Result<(), String> {
        let name = unraw(&child.ident.to_string());
        if let Some((_, items)) = child.content {
            let folder = format!("{}{name}/", place.folder);
            let place = Place { file: place.file.clone(), folder };
            return self.add(Some(parent), &name, place, items, read);
        }
        let places = match path_attribute(&child.attrs) {
            Some(path) => {
                let file = format!("{}{path}", self::parent(&place.file));
                let folder = self::parent(&file);
                vec![Place { file, folder }]
            }
            None => {
                let folder = format!("{}{name}/", place.folder);
                let files = [format!("{}{name}.rs", place.folder), format!("{folder}mod.rs")];
                files.map(|file| Place { file, folder: folder.clone() }).into()
            }
        };
        let found = places.into_iter().find_map(|place| Some((read(&place.file)?, place)));
        let Some((text, place)) = found else {
            return Err(format!("{}: the file of `mod {name}` is missing", place.file));
        };
        let items = parsed(&place.file, &text)?;
        self.add(Some(parent), &name, place, items, read)
    }
}

impl Module {
    fn add_import(&mut self, import: &ItemUse) {
        self.add_tree(&import.tree, &mut Vec::new());
    }

    fn add_tree(&mut self, tree: &UseTree, path: &mut Words) {
        let mut import = |path: &[String], last: &str, name: &str| {
            let mut path = path.to_vec();
            if last != "self" && last != "*" {
                path.push(last.to_string());
            }
            let name = if name == "self" { path.last().cloned() } else { Some(name.to_string()) };
            self.imports.extend(name.map(|name| Import { path, name }));
        };
        match tree {
            UseTree::Path(tree) => {
                path.push(unraw(&tree.ident.to_string()));
                self.add_tree(&tree.tree, path);
                path.pop();
            }
            UseTree::Name(tree) => {
                let name = unraw(&tree.ident.to_string());
                import(path, &name, &name);
            }
            UseTree::Rename(tree) => {
                import(path, &unraw(&tree.ident.to_string()), &unraw(&tree.rename.to_string()));
            }
            UseTree::Glob(_) => import(path, "*", "*"),
            UseTree::Group(tree) => {
                tree.items.iter().for_each(|tree| self.add_tree(tree, path));
            }
        }
    }

    /// Notes the paths and imports in code, in arguments of macros too.
    fn scan(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        // True after a `.` or `::`: the name that follows is of something that is not known here.
        let mut is_member = false;
        while let [first, after @ ..] = rest {
            rest = after;
            match first {
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Ident(word) if word == "use" => {
                    let end = after.iter().position(|token| is_punct(token, ';'));
                    let end = end.map_or(after.len(), |end| end + 1);
                    let import = [first].into_iter().chain(&after[..end]).cloned().collect();
                    // Anything else, such as `impl use<'a>`, is no import.
                    if let Ok(import) = syn::parse2(import) {
                        self.add_import(&import);
                        rest = &after[end..];
                    }
                }
                TokenTree::Ident(word) => {
                    let mut path = vec![unraw(&word.to_string())];
                    while let [a, b, TokenTree::Ident(word), after @ ..] = rest
                        && is_punct(a, ':')
                        && is_punct(b, ':')
                    {
                        path.push(unraw(&word.to_string()));
                        rest = after;
                    }
                    if !is_member {
                        self.paths.insert(path);
                    }
                }
                TokenTree::Punct(_) if is_attribute_of_tests(first, after) => {
                    rest = after_item(after)
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            let is_colons = |rest: &[TokenTree]| {
                let before = &tokens[..tokens.len() - rest.len()];
                matches!(before, [.., a, b] if is_punct(a, ':') && is_punct(b, ':'))
            };
            is_member = is_punct(first, '.') || is_colons(rest);
        }
    }
}

/// A file, and the folder in which the files of its modules lie.
struct Place {
    file: String,
    folder: String,
}

/// The folder of a file, with a `/` at its end.
fn parent(file: &str) -> String {
    let folder = Path::new(file).parent().and_then(Path::to_str).unwrap_or_default();
    if folder.is_empty() { String::new() } else { format!("{folder}/") }
}

fn parsed(file: &str, text: &str) -> Result<Vec<Item>, String> {
    let parsed = syn::parse_file(text).map_err(|error| format!("{file}: {error}"))?;
    Ok(parsed.items)
}

fn unraw(name: &str) -> String {
    name.strip_prefix("r#").unwrap_or(name).to_string()
}

/// The attributes of an item, and the name that it defines.
fn head(item: &Item) -> (&[Attribute], Option<String>) {
    let (attributes, name) = match item {
        Item::Const(item) => (&item.attrs, Some(&item.ident)),
        Item::Enum(item) => (&item.attrs, Some(&item.ident)),
        Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
        Item::Impl(item) => (&item.attrs, None),
        Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
        Item::Mod(item) => (&item.attrs, None),
        Item::Static(item) => (&item.attrs, Some(&item.ident)),
        Item::Struct(item) => (&item.attrs, Some(&item.ident)),
        Item::Trait(item) => (&item.attrs, Some(&item.ident)),
        Item::Type(item) => (&item.attrs, Some(&item.ident)),
        Item::Union(item) => (&item.attrs, Some(&item.ident)),
        Item::Use(item) => (&item.attrs, None),
        _ => return (&[], None),
    };
    (attributes, name.map(|name| unraw(&name.to_string())))
}

/// The names of the items that the arguments of a macro define, as far as they are written there.
fn defined_in(arguments: TokenStream) -> Vec<String> {
    const KINDS: [&str; 8] = ["const", "enum", "fn", "static", "struct", "trait", "type", "union"];
    let tokens: Vec<TokenTree> = arguments.into_iter().collect();
    let named = tokens.windows(2).filter_map(|pair| match pair {
        [TokenTree::Ident(kind), TokenTree::Ident(name)] if KINDS.iter().any(|of| kind == of) => {
            Some(unraw(&name.to_string()))
        }
        _ => None,
    });
    named.collect()
}

/// The value of `#[path = "…"]`.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    let path = attributes.iter().find(|attribute| attribute.path().is_ident("path"))?;
    let value = path.meta.require_name_value().ok()?.value.to_token_stream().to_string();
    Some(value.trim_matches('"').to_string())
}

fn is_of_tests(attribute: &Attribute) -> bool {
    is_condition_of_tests(attribute.meta.to_token_stream())
}

/// Returns true at `#[cfg(test)]` and the like; `first` is the `#`.
fn is_attribute_of_tests(first: &TokenTree, after: &[TokenTree]) -> bool {
    is_punct(first, '#')
        && matches!(after, [TokenTree::Group(group), ..]
            if group.delimiter() == Delimiter::Bracket && is_condition_of_tests(group.stream()))
}

fn is_condition_of_tests(attribute: TokenStream) -> bool {
    let text: String = attribute.to_string().split_whitespace().collect();
    matches!(text.as_str(), "test" | "cfg(test)" | "cfg(doctest)")
        || text.starts_with("cfg(all(test")
}

/// Skips an item: up to its body or its `;`.
fn after_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let is_end = |token: &TokenTree| {
        is_punct(token, ';')
            || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    };
    let end = tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1);
    &tokens[end..]
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}
