//! Drives rslock for tests/interop/run.py: driver MODE OPTIONS PORT... Every client is a task; see suite/driver.py.

use rslock::{Lock, LockManager};
use serde_json::{json, Value};
use std::collections::HashMap;
use std::io::BufRead;
use std::time::Duration;
use tokio::sync::mpsc;

const NAME: &str = "lock:orders:42";

/// Bytes as Lockscope writes them: whatever is not UTF-8 text becomes \xNN.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() {
                let mut buffer = [0; 4];
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    text.push_str(&format!("\\x{byte:02x}"));
                }
            } else {
                text.push(c);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

async fn acquire(manager: &LockManager) -> Result<Lock, String> {
    loop {
        if let Ok(lock) = manager.lock(NAME, Duration::from_secs(30)).await {
            return Ok(lock);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn obey(manager: &LockManager, held: &mut Option<Lock>, order: &str) -> Result<Value, String> {
    match order {
        "open" => Ok(json!({})),
        "acquire" => {
            let lock = acquire(manager).await?;
            let owner = escaped(&lock.val);
            *held = Some(lock);
            Ok(json!({ "owner": owner }))
        }
        "extend" => {
            let lock = held.as_ref().ok_or("nothing held")?;
            manager.extend(lock, Duration::from_secs(30)).await.map_err(|problem| problem.to_string())?;
            Ok(json!({}))
        }
        "release" => {
            manager.unlock(held.as_ref().ok_or("nothing held")?).await;
            Ok(json!({}))
        }
        _ => Err(format!("unknown order {order}")),
    }
}

async fn serve(servers: Vec<String>, mut orders: mpsc::UnboundedReceiver<Value>) {
    let manager = LockManager::new(servers);
    let mut held = None;
    while let Some(order) = orders.recv().await {
        let answer = match obey(&manager, &mut held, order["do"].as_str().unwrap_or("")).await {
            Ok(done) => json!({ "id": order["id"], "done": done }),
            Err(problem) => json!({ "id": order["id"], "error": problem }),
        };
        println!("{answer}");
    }
}

#[tokio::main]
async fn main() {
    let servers: Vec<String> = std::env::args().skip(3).map(|port| format!("redis://127.0.0.1:{port}/")).collect();
    println!("{}", json!({ "ready": { "library": "rslock", "version": "0.7.3" } }));
    let mut clients: HashMap<String, mpsc::UnboundedSender<Value>> = HashMap::new();
    // Reading blocks its thread; the clients run on others.
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let order: Value = serde_json::from_str(&line).expect("an order");
        let name = order["client"].as_str().unwrap_or("").to_owned();
        let sender = clients.entry(name).or_insert_with(|| {
            let (sender, receiver) = mpsc::unbounded_channel();
            tokio::spawn(serve(servers.clone(), receiver));
            sender
        });
        sender.send(order).ok();
    }
}
