//! rslock, on as many servers as LOCKSCOPE_URLS names. docs/adapters.md tells the protocol. Every thread's name is a task.

use rslock::{Lock, LockManager};
use std::collections::HashMap;
use std::env;
use std::io::BufRead;
use std::time::Duration;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};

const RETRY_DELAY_MS: u64 = 100;

fn setting(name: &str, otherwise: &str) -> String {
    env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

fn milliseconds(name: &str) -> Duration {
    Duration::from_millis(setting(name, "1000").parse().unwrap_or(1000))
}

/// What one task holds. An error of the library says no more than that it failed: the answer no.
struct Caller {
    manager: LockManager,
    held: HashMap<String, Lock>,
}

impl Caller {
    async fn obey(&mut self, word: &str, key: &str) -> Result<bool, String> {
        let lease = milliseconds("LOCKSCOPE_LEASE_MS");
        match word {
            "acquire" => {
                let lock = self.manager.lock(key, lease).await;
                Ok(lock.map(|lock| self.held.insert(key.to_owned(), lock)).is_ok())
            }
            "release" => match self.held.remove(key) {
                Some(lock) => {
                    self.manager.unlock(&lock).await;
                    Ok(true)
                }
                None => Ok(false),
            },
            "extend" => match self.held.get(key) {
                Some(lock) => Ok(self.manager.extend(lock, lease).await.is_ok()),
                None => Ok(false),
            },
            _ => Err(format!("unknown word {word}")),
        }
    }
}

async fn work(thread: String, mut caller: Caller, mut orders: UnboundedReceiver<(String, String)>, answers: UnboundedSender<String>) {
    while let Some((word, key)) = orders.recv().await {
        let text = match caller.obey(&word, &key).await {
            Ok(true) => "yes".to_owned(),
            Ok(false) => "no".to_owned(),
            Err(problem) => format!("error {problem}"),
        };
        // Nobody listens any more after a reset.
        let _ = answers.send(format!("{thread} {text}"));
    }
}

/// Prints the answers of one round, until a reset drops the other end.
fn printer() -> (UnboundedSender<String>, tokio::task::JoinHandle<()>) {
    let (sender, mut receiver) = unbounded_channel::<String>();
    let printing = tokio::spawn(async move {
        while let Some(line) = receiver.recv().await {
            println!("{line}");
        }
    });
    (sender, printing)
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let urls = setting("LOCKSCOPE_URLS", &setting("LOCKSCOPE_URL", "redis://127.0.0.1:6379/0"));
    let mut manager = LockManager::new(urls.split(',').map(str::to_owned).collect::<Vec<_>>());
    let attempts = 1 + milliseconds("LOCKSCOPE_WAIT_MS").as_millis() as u64 / RETRY_DELAY_MS;
    manager.set_retry(attempts as u32, Duration::from_millis(RETRY_DELAY_MS));
    // Every script once, so that its first run takes as many messages as every other.
    let mut warm_up = Caller { manager: manager.clone(), held: HashMap::new() };
    let key = format!("warm-up-{}", setting("LOCKSCOPE_PROCESS", "A"));
    for word in ["acquire", "extend", "release"] {
        assert_eq!(warm_up.obey(word, &key).await, Ok(true), "{word}");
    }
    println!("ready acquire release extend reset");
    let mut callers: HashMap<String, UnboundedSender<(String, String)>> = HashMap::new();
    let (mut answers, mut printing) = printer();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["reset", thread, ..] => {
                callers.clear();
                printing.abort();
                println!("{thread} yes");
                (answers, printing) = printer();
            }
            [word, thread, key, ..] => {
                let orders = callers.entry(thread.to_owned()).or_insert_with(|| {
                    let (sender, receiver) = unbounded_channel();
                    let caller = Caller { manager: manager.clone(), held: HashMap::new() };
                    tokio::spawn(work(thread.to_owned(), caller, receiver, answers.clone()));
                    sender
                });
                let _ = orders.send((word.to_owned(), key.to_owned()));
            }
            _ => {}
        }
    }
    std::process::exit(0);
}
