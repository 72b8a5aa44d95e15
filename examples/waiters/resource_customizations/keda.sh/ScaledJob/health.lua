local conditions = obj.status ~= nil and obj.status.conditions or {}
for _, condition in ipairs(conditions) do
  if condition.type == "Ready" and condition.status == "True" then
    return {status = "Healthy", message = condition.message}
  end
  if condition.type == "Ready" and condition.status == "False" then
    return {status = "Degraded", message = condition.message}
  end
end
return {status = "Progressing", message = "Waiting for KEDA"}
